import { describe, expect, it } from 'vitest';
import { TASK_DEFAULTS } from '../../store/taskDefaults.ts';
import { decideTaskReturn, type TaskReturnFacts } from './taskReturn.ts';

const fresh = { ...TASK_DEFAULTS, failures: 0, reclaims: 0, releases: 0 };
const decide = (facts: Partial<TaskReturnFacts>) =>
  decideTaskReturn({ now: 1_000, counted: 'failures', task: fresh, random: 0.5, ...facts });

describe('a task that comes back', () => {
  it.each<[string, Partial<TaskReturnFacts>, object]>([
    ['failed once', {}, { type: 'requeue', runAt: 11_000, count: 1 }],
    ['failed twice', { task: { ...fresh, failures: 1 } }, { type: 'requeue', runAt: 21_000, count: 2 }],
    ['failed three times', { task: { ...fresh, failures: 2 } }, { type: 'dead', count: 3 }],
    ['lost once', { counted: 'reclaims' }, { type: 'requeue', runAt: 11_000, count: 1 }],
    ['given back', { counted: 'releases' }, { type: 'requeue', runAt: 1_000, count: 1 }],
    [
      'given back after failures',
      { counted: 'releases', task: { ...fresh, failures: 2 } },
      { type: 'requeue', count: 1 },
    ],
    [
      'given back for a limit of its account, however often',
      { counted: null, task: { ...fresh, releases: 19 } },
      { type: 'requeue', runAt: 1_000, count: null },
    ],
    ['given back for the twentieth time', { counted: 'releases', task: { ...fresh, releases: 19 } }, { type: 'dead' }],
  ])('%s', (_name, facts, decision) => {
    expect(decide(facts)).toMatchObject(decision);
  });

  it('incident 28: a task that kills every worker is set aside with its third claim', () => {
    let task = fresh as TaskReturnFacts['task'];
    let claims = 0;
    for (let back = true; back; claims += 1) {
      const decision = decide({ counted: 'reclaims', task });
      task = { ...task, reclaims: decision.count ?? 0 };
      back = decision.type === 'requeue';
    }
    expect(claims).toBe(3);
  });
});
