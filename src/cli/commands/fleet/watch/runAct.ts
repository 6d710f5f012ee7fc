import { UserError } from '../../../../system/userError.ts';
import { refuseAgentsFor } from '../../../wiring/standing/refuseAgents.ts';
import { StoreUnavailableError } from '../../../wiring/store/openedStore.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import { runAccountPause, runAccountResume } from '../../account/runAccount.ts';
import { runChange, runPause } from '../../task/change/runChange.ts';
import type { CommonOptions } from '../../task/taskOptions.ts';
import type { ActName, ActRequest } from './ui.ts';

interface Act {
  /** The command that does it, as in the table of who may use what. */
  readonly verb: string;
  run(request: ActRequest, options: CommonOptions, world: TaskWorld): Promise<number>;
}

const taskChange = (change: 'cancel' | 'redrive' | 'hold' | 'unhold'): Act => ({
  verb: `task ${change}`,
  run: ({ target, text }, options, world) =>
    runChange(change)([target], { ...options, ...(text && { reason: text }) }, world),
});

const queueChange = (change: 'pause' | 'resume'): Act => ({
  verb: `task ${change}`,
  run: ({ target }, options, world) => runPause(change)(target, options, world),
});

export const ACTS: Readonly<Record<ActName, Act>> = {
  cancel: taskChange('cancel'),
  redrive: taskChange('redrive'),
  hold: taskChange('hold'),
  unhold: taskChange('unhold'),
  pauseQueue: queueChange('pause'),
  resumeQueue: queueChange('resume'),
  pauseAccount: {
    verb: 'account pause',
    run: ({ target, text }, options, world) => runAccountPause(target, { ...options, for: text ?? '' }, world),
  },
  resumeAccount: {
    verb: 'account resume',
    run: ({ target }, options, world) => runAccountResume(target, options, world),
  },
};

/** Runs the body of the command, after the same check of who calls it, and returns what it would have printed. */
export async function runAct(request: ActRequest, options: CommonOptions, world: TaskWorld): Promise<string> {
  const { verb, run } = ACTS[request.act];
  const printed: string[] = [];
  const note = (text: string) => void printed.push(text.trim());
  try {
    refuseAgentsFor(verb, options.store);
    await run(
      request,
      { ...(options.store !== undefined && { store: options.store }) },
      { ...world, print: note, warn: note },
    );
  } catch (error) {
    if (!(error instanceof UserError) && !(error instanceof StoreUnavailableError)) throw error;
    note(error.message);
  }
  return printed.join(' ');
}
