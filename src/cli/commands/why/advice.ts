import type { AttemptRecord } from '../../../stop/attemptRecord.ts';
import { ownValue } from '../../../system/ownValue.ts';

interface AdviceFacts {
  readonly session: string;
  readonly reason: string;
  /** Checks that failed at the last stop. */
  readonly failing: readonly string[];
  /** Why the checks were skipped. */
  readonly why: string | undefined;
  /** Set for the record of an attempt of a task, which is not a session. */
  readonly record: AttemptRecord | null;
}

export type Advice = (facts: AdviceFacts) => string;

const resume = (session: string) => `\`stopgate -p "…" --resume ${session}\``;

const stillFailing: Advice = ({ session, failing, reason, record }) => {
  const names = failing.join(', ') || reason;
  if (record !== null) return adviceForTask(record, names);
  const [check = 'NAME'] = failing;
  return `Fix ${names} and let it stop again, or accept it as a person: stopgate waive ${session} --check "${check}" --reason "…".`;
};

const ACCEPT_OLD = '`stopgate baseline` accepts old failures of the definition of done.';

/** No waiver helps: the verdict is settled. */
export function adviceForTask({ type, taskId }: AttemptRecord, names: string): string {
  if (type === 'landing')
    return `Fix ${names} on the branch of the work (\`stopgate review reject ${taskId} "why"\` queues the task again) or on the target, then accept it again: \`stopgate review accept ${taskId}\`. ${ACCEPT_OLD}`;
  return `The next attempt has to fix ${names}; if the task is dead, \`stopgate task redrive ${taskId}\` queues it again. ${ACCEPT_OLD}`;
}

const SKIPPED: Readonly<Record<string, string>> = {
  notTrusted: 'Review the checks, then run `stopgate trust`; an untrusted folder runs nothing.',
  changedSinceTrusted: 'Run `stopgate trust`: it shows what changed, and asks again.',
  nothingChanged: 'Nothing: this session changed no file, so there was nothing to prove.',
  changedByOthers: 'Nothing of this session: another session or a person changed the files.',
  planning: 'Leave plan mode; plans are not checked.',
};

const again: Advice = ({ session, reason }) => `${reason} Continue with ${resume(session)}.`;

/** What would have to change, by how a session ended. */
export const ADVICE: Readonly<Record<string, Advice | undefined>> = {
  passed: () => 'Nothing: its checks passed.',
  completed: () =>
    'It ended by itself, and nothing checked it: put checks into stopgate.config.json (`stopgate init` proposes some).',
  finished: () =>
    'It ended by itself, and nothing checked it: put checks into stopgate.config.json (`stopgate init` proposes some).',
  command_done: () => 'Nothing: it ran a command of its own, without a turn.',
  advised: ({ reason }) => `Nothing has to: checks with severity "warn" only advise (${reason}).`,
  accepted: ({ reason }) =>
    `A person accepted what fails (${reason}); \`stopgate baseline --list\` shows it. Fix it, and the next stop passes.`,
  left_running: ({ reason }) => `End what you start, or run it outside of the agent: ${reason}.`,
  no_work: () => 'Check that the agent got its prompt: nothing happened at all.',
  waived: ({ reason }) => `A person accepted what fails (${reason}). Fix it, and the next stop passes.`,
  blocked: stillFailing,
  stalled: (facts) => `It came back without a change, so it may stop. ${stillFailing(facts)}`,
  capped: (facts) => `It was sent back as often as "maxBlocks" permits. ${stillFailing(facts)}`,
  skipped: ({ why, reason }) => ownValue(SKIPPED, why) ?? `The checks must be able to run: ${reason}.`,
  outOfTime: () => 'Give it more time (--time-budget), or make the checks faster: not all of them could run.',
  notArmed: ({ reason }) => `Arm checks, so that a stop is checked: ${reason}.`,
  notAsked: () =>
    'The agent ended without calling its stop hook: run `stopgate init` again and see `stopgate hooks list`.',
  error: ({ reason }) => `Repair what is broken: ${reason}.`,
  running: () => 'It has not stopped yet.',
  budget_exhausted: ({ session }) => `Raise --max-budget-usd, and continue with ${resume(session)}.`,
  tokens_exhausted: ({ session }) => `Raise --token-limit, and continue with ${resume(session)}.`,
  max_turns: ({ session }) => `Raise --max-turns, and continue with ${resume(session)}.`,
  stop_hook_capped: ({ reason }) => `A Stop hook still objects; meet its condition, or change the hook. ${reason}`,
  stop_hook_prevented: ({ reason }) => `A Stop hook ended it: ${reason}`,
  hook_stopped: ({ reason }) => `A hook ended it: ${reason}`,
  prompt_blocked: () => 'A hook blocked the prompt; word it differently, or change the hook.',
  api_error: again,
  aborted_streaming: again,
  aborted_tools: again,
  expired: () => 'Give it more time (--time-budget): its time and grace were over. `stopgate restore` has its work.',
  stopped: ({ reason }) => `It was stopped: ${reason}. \`stopgate restore\` has its work.`,
  failed: ({ reason }) => `The agent failed: ${reason}.`,
  crashed: ({ reason }) => `The agent was ended from outside: ${reason}.`,
  notStarted: ({ reason }) => `The agent could not be started: ${reason}.`,
};
