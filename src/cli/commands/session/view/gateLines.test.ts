import { describe, expect, it } from 'vitest';
import type { QueryEvent } from '../../../../query/events.ts';
import { followCheck, followHooks, gateLines, type RunningCheck, type RunningHook } from './gateLines.ts';

const plain = { paint: (_style: unknown, text: string) => text, now: 5_000 };
const started = (id: string, command: string, more = {}): QueryEvent => ({
  type: 'hook_progress',
  data: { type: 'hook_started', hook_id: id, hook_event: 'Stop', command, ...more },
});
const ended = (id: string, outcome: string, exit_code?: number): QueryEvent => ({
  type: 'hook_progress',
  data: { type: 'hook_response', hook_id: id, hook_event: 'Stop', outcome, exit_code, isBlocking: exit_code === 2 },
});
const hooksAfter = (...events: readonly QueryEvent[]) =>
  events.reduce<readonly RunningHook[]>((hooks, event, at) => followHooks(hooks, event, at * 1_000), []);

describe('the lines of a stop', () => {
  it('count what has ended, with a word and a symbol for each outcome', () => {
    const hooks = hooksAfter(
      started('a', 'npm test', { statusMessage: 'Testing' }),
      started('b', 'lint'),
      started('c', 'style'),
      ended('b', 'success', 2),
      ended('c', 'error', 1),
    );
    expect(gateLines(hooks, [], plain)).toEqual([
      'Stop: 2 of 3 done',
      '  … Testing · running · 5s',
      '  ✗ lint · blocked · 2s',
      '  ? style · no verdict · 2s',
    ]);
  });

  it('are none when nothing runs, and begin anew with the next event', () => {
    const over = hooksAfter(started('a', 'x'), ended('a', 'success', 0));
    expect(gateLines(over, [], plain)).toEqual([]);
    expect(followHooks(over, started('b', 'y'), 0)).toHaveLength(1);
  });

  it('have the checks below, in their order', () => {
    const steps = [
      ['lint', 'running'],
      ['lint', 'passed'],
      ['tests', 'running'],
      ['lint', 'failed'],
    ] as const;
    const checks = steps.reduce<readonly RunningCheck[]>(
      (all, [name, state], at) => followCheck(all, { name, state }, at * 1_000),
      [],
    );
    expect(gateLines(hooksAfter(started('a', 'stopgate checks')), checks, plain)).toEqual([
      'Stop: 0 of 1 done',
      '  … stopgate checks · running · 5s',
      '    ✗ lint · failed · 3s',
      '    … tests · running · 3s',
    ]);
  });
});
