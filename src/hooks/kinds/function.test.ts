import { describe, expect, it } from 'vitest';
import { testContext, testEvent } from '../../../tests/support/testHooks.ts';
import type { ConfiguredHook } from '../configuredHook.ts';
import { functionHook, onHookEvent } from './function.ts';

const run = (hook: ConfiguredHook, event = testEvent(hook.event, { stop_hook_active: true }, { toolUseId: 't1' })) =>
  functionHook().run(hook.settings, event, testContext(hook));

describe('a function hook', () => {
  it('is typed for its event and answers with a value', async () => {
    const hook = onHookEvent('Stop', (input, toolUseId) => ({
      decision: 'block',
      reason: `${input.stop_hook_active} ${toolUseId}`,
    }));
    expect(await run(hook)).toMatchObject({ reply: { block: { by: 'decision', reason: 'true t1' } } });
  });

  it('may only watch, or take its time', async () => {
    expect(await run(onHookEvent('Stop', () => {}))).toMatchObject({ type: 'said', reply: { specific: {} } });
    expect(await run(onHookEvent('Stop', async () => ({ continue: false })))).toMatchObject({
      reply: { prevent: '' },
    });
  });

  it('names itself', () => {
    expect(onHookEvent('Stop', function testsPass() {}, { matcher: 'x', timeout: 3 })).toMatchObject({
      label: 'testsPass',
      matcher: 'x',
      settings: { timeout: 3 },
      source: 'library',
    });
  });

  it('gives no verdict when it throws, rejects, answers nonsense or is late', async () => {
    const fails = (callback: () => unknown, timeout = 1) =>
      run(onHookEvent('Stop', callback as () => undefined, { timeout }));
    const throwing = () => {
      throw new Error('oops');
    };
    expect(await fails(throwing)).toMatchObject({ type: 'failed', failure: 'execution', message: 'oops' });
    expect(await fails(async () => throwing())).toMatchObject({ type: 'failed', message: 'oops' });
    expect(await fails(() => ({ decision: 'maybe' }))).toMatchObject({ type: 'failed', failure: 'answer' });
    expect(await fails(() => 'block')).toMatchObject({ type: 'failed', failure: 'answer' });
    expect(await fails(() => new Promise(() => {}), 0.02)).toMatchObject({ type: 'failed', failure: 'timeout' });
  });

  it('is notified of its timeout', async () => {
    let aborted = false;
    const hook = onHookEvent(
      'Stop',
      (_input, _id, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve(undefined);
          });
        }),
      { timeout: 0.02 },
    );
    expect(await run(hook)).toMatchObject({ failure: 'timeout' });
    expect(aborted).toBe(true);
  });
});
