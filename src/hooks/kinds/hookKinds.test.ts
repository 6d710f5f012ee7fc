import { expect, it } from 'vitest';
import { runHook } from '../../../tests/support/testHooks.ts';
import { systemClock } from '../../system/clock.ts';
import { spawnProcesses } from '../../system/spawnProcesses.ts';
import { backgroundHooks } from './background.ts';
import { hookKinds, SETTINGS_KINDS } from './hookKinds.ts';

const effects = { processes: spawnProcesses(), background: backgroundHooks(systemClock) };
const failing = async () => ({ type: 'failed', message: '' }) as const;

it('makes every kind that settings can name, and functions', () => {
  const kinds = hookKinds({ ...effects, askModel: failing, runAgent: failing, callMcpTool: failing });
  expect(kinds.map((kind) => kind.type).sort()).toEqual(
    [...SETTINGS_KINDS.map((kind) => kind.type), 'function'].sort(),
  );
});

it('leaves out what was not wired', () => {
  expect(hookKinds(effects).map((kind) => kind.type)).toEqual(['command', 'http', 'function']);
});

it('lets the environment open private addresses', async () => {
  const message = async (env: Record<string, string>) => {
    const http = hookKinds({ ...effects, env }).find((kind) => kind.type === 'http');
    if (http === undefined) throw new Error('no http kind');
    const outcome = await runHook(http, { type: 'http', url: 'http://0.0.0.0:1/', timeout: 0.05 });
    return outcome.type === 'failed' ? outcome.message : outcome.type;
  };
  expect(await message({})).toContain('is a private address');
  expect(await message({ STOPGATE_HTTP_HOOKS_ALLOW_PRIVATE: '1' })).not.toContain('is a private address');
});
