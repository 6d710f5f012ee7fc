import { expect, it } from 'vitest';
import { hookDepthOf, hookEnvironment, pluginEnvironment } from './environment.ts';

const facts = { projectDir: '/p', sessionId: 's', pid: 7 };

it('passes on what there is, less telemetry, and says who is asking', () => {
  const inherited = {
    PATH: '/bin',
    OTEL_EXPORTER: 'x',
    ANTHROPIC_API_KEY: 'k',
    CLAUDE_ENV_FILE: '/outer',
    NONE: undefined,
  };
  expect(hookEnvironment({ ...facts, inherited })).toEqual({
    PATH: '/bin',
    ANTHROPIC_API_KEY: 'k',
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

it('leaves the secrets of providers out when it is asked to', () => {
  const inherited = {
    CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '1',
    ANTHROPIC_API_KEY: 'k',
    AWS_SECRET_ACCESS_KEY: 'k',
    GOOGLE_APPLICATION_CREDENTIALS: 'k',
    ANTHROPIC_BASE_URL: 'u',
    MY_TOKEN: 'mine',
  };
  const env = hookEnvironment({ ...facts, inherited });
  expect(Object.values(env)).not.toContain('k');
  expect(env).toMatchObject({ ANTHROPIC_BASE_URL: 'u', MY_TOKEN: 'mine' });
});

it('counts how deep in hooks it is', () => {
  const inner = hookEnvironment({ ...facts, inherited: hookEnvironment({ ...facts, inherited: {} }) });
  expect(hookDepthOf(inner)).toBe(2);
  expect(hookDepthOf({})).toBe(0);
  expect(hookDepthOf({ STOPGATE_HOOK_DEPTH: 'deep' })).toBe(0);
});

it('tells a plugin where it is and what it was given', () => {
  expect(pluginEnvironment({ root: '/r', dataDir: '/d', options: { 'api-key': 'v' } })).toEqual({
    CLAUDE_PLUGIN_ROOT: '/r',
    CLAUDE_PLUGIN_DATA: '/d',
    CLAUDE_PLUGIN_OPTION_API_KEY: 'v',
  });
});
