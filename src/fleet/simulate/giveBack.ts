import { TASK_DEFAULTS } from '../../store/taskDefaults.ts';
import { type Counted, decideTaskReturn } from '../decisions/taskReturn.ts';
import { EVENT, type SimulationState } from './simulationState.ts';

/** An attempt ended without success: its task waits for another one, or is dead. */
export function giveBack(state: SimulationState, handle: number, counted: Counted | null): void {
  const { tasks, now, heap, tally, random, watch } = state;
  const task = tasks.get(handle);
  const decision = decideTaskReturn({ now, counted, task: { ...TASK_DEFAULTS, ...task }, random: random() });
  if (counted !== null && decision.count !== null) task[counted] = decision.count;
  watch.settled?.(task.number, decision.type === 'dead' ? 'dead' : 'back');
  if (decision.type === 'dead') {
    tally.dead += 1;
    tasks.end(handle);
  } else heap.push(decision.runAt, EVENT.taskDue, handle);
}
