import { expect, it } from 'vitest';
import { hookDepthOf, hookEnvironment, pluginEnvironment } from './environment.ts';

const facts = { projectDir: '/p', sessionId: 's', pid: 7 };

it('passes on the environment without secrets and telemetry, and adds the session', () => {
  const inherited = {
    PATH: '/bin',
    OTEL_EXPORTER: 'x',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_ENV_FILE: '/outer',
    NONE: undefined,
  };
  expect(hookEnvironment({ ...facts, inherited })).toEqual({
    PATH: '/bin',
    CLAUDE_PROJECT_DIR: '/p',
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
    CLAUDE_CODE_SESSION_ID: 's',
    CLAUDE_PID: '7',
    STOPGATE_HOOK_DEPTH: '1',
  });
});

it('gives an environment file only where there is one', () => {
  expect(hookEnvironment({ ...facts, inherited: {}, envFile: '/e' }).CLAUDE_ENV_FILE).toBe('/e');
});

it('leaves secrets out, but for those that are passed', () => {
  const inherited = { MY_TOKEN: 'k', AWS_SECRET_ACCESS_KEY: 'k', ANTHROPIC_BASE_URL: 'u', PASSED_TOKEN: 'p' };
  const env = hookEnvironment({ ...facts, inherited: { ...inherited, STOPGATE_PASS_ENV: 'PASSED_*' } });
  expect(Object.values(env)).not.toContain('k');
  expect(env).toMatchObject({ ANTHROPIC_BASE_URL: 'u', PASSED_TOKEN: 'p' });
});

it('counts how deep in hooks it is', () => {
  const inner = hookEnvironment({ ...facts, inherited: hookEnvironment({ ...facts, inherited: {} }) });
  expect(hookDepthOf(inner)).toBe(2);
  expect(hookDepthOf({})).toBe(0);
  expect(hookDepthOf({ STOPGATE_HOOK_DEPTH: 'deep' })).toBe(0);
});

it('contains the folders and options of a plugin', () => {
  expect(pluginEnvironment({ root: '/r', dataDir: '/d', options: { 'api-key': 'v' } })).toEqual({
    CLAUDE_PLUGIN_ROOT: '/r',
    CLAUDE_PLUGIN_DATA: '/d',
    CLAUDE_PLUGIN_OPTION_API_KEY: 'v',
  });
});
