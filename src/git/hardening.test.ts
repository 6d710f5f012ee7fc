import { describe, expect, it } from 'vitest';
import { gitEnvironment } from './hardening.ts';

describe('the environment of git', () => {
  it('selects no repository, never prompts, and fetches nothing', () => {
    const env = gitEnvironment({ PATH: '/bin', GIT_DIR: '/x', GIT_TRACE: '1', GIT_SSH_COMMAND: 'evil' }, {});
    expect(env).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_PROXY_COMMAND: '',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_ALLOW_PROTOCOL: 'none',
      GIT_NO_LAZY_FETCH: '1',
      GIT_NO_REPLACE_OBJECTS: '1',
      GIT_GRAFT_FILE: '/dev/null',
    });
  });

  it("keeps the user's configuration and adds to it", () => {
    const user = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' };
    const env = gitEnvironment({ ...user, GIT_CONFIG_NOSYSTEM: '1' }, { settings: { 'filter.a=b.clean': '' } });
    expect(env).toMatchObject({
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_VALUE_0: '*',
      GIT_CONFIG_KEY_1: 'filter.a=b.clean',
      GIT_CONFIG_VALUE_1: '',
    });
  });

  it('never lets a remote be a command line', () => {
    expect(gitEnvironment({}, { mayFetch: true }).GIT_ALLOW_PROTOCOL?.split(':')).not.toContain('ext');
  });
});
