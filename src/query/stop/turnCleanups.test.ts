import { describe, expect, it } from 'vitest';
import { noLog } from '../../system/log.ts';
import { fakeHooks, runTurn } from '../../testing/runTurn.ts';
import { fakeTool } from '../../testing/tools.ts';
import { turnCleanups } from './stopWork.ts';

describe('turnCleanups', () => {
  it('puts back what tools took, the latest first, once', async () => {
    const done: string[] = [];
    const cleanups = turnCleanups(noLog);
    cleanups.register('first', () => void done.push('first'));
    const takeBack = cleanups.register('second', () => void done.push('second'));
    cleanups.register('third', async () => void done.push('third'));
    takeBack();
    await cleanups.run();
    await cleanups.run();
    expect(done).toEqual(['third', 'first']);
  });

  it('a failure is logged and keeps no other one from it', async () => {
    const done: string[] = [];
    const logged: object[] = [];
    const cleanups = turnCleanups((name, fields) => logged.push({ event: name, ...fields }));
    cleanups.register('first', () => void done.push('first'));
    cleanups.register('screen', () => Promise.reject(new Error('no display')));
    await cleanups.run();
    expect(done).toEqual(['first']);
    expect(logged).toEqual([{ event: 'turn_cleanup_failed', name: 'screen', error: 'no display' }]);
  });
});

describe('a tool that takes a lock for the turn', () => {
  /** Takes the lock at its first call, and reports at a second one whether it still has it. */
  function lockTool() {
    const held = { isHeld: false, taken: 0 };
    const tool = fakeTool('Lock', {
      run: (_input, { registerCleanup }) => {
        if (held.isHeld) return 'still held';
        held.isHeld = true;
        held.taken++;
        registerCleanup('lock', () => {
          held.isHeld = false;
        });
        return 'taken';
      },
    });
    return { held, tool };
  }
  const call = { name: 'Lock', input: { text: '' } };

  it('holds it between calls, and releases it before the Stop hooks run', async () => {
    const { held, tool } = lockTool();
    const atStop: boolean[] = [];
    const hooks = fakeHooks({
      Stop: () => {
        atStop.push(held.isHeld);
        return {};
      },
    });
    const replies = [{ tools: [call] }, { tools: [call] }, { text: 'done' }];
    const { model } = await runTurn({ replies, tools: [tool], hooks });
    expect(JSON.stringify([...(model.requests.at(-1)?.messages ?? [])])).toContain('still held');
    expect([held.taken, atStop]).toEqual([1, [false]]);
  });

  it.each([
    ['the requests are used up', { config: { maxTurns: 1 } }],
    ['the model fails', { replies: [{ tools: [call] }, { error: { status: 400 } }] }],
  ])('gives it back when %s', async (_name, options) => {
    const { held, tool } = lockTool();
    const { terminal } = await runTurn({ replies: [{ tools: [call] }, { text: 'done' }], ...options, tools: [tool] });
    expect(terminal.reason).not.toBe('completed');
    expect([held.taken, held.isHeld]).toEqual([1, false]);
  });
});
