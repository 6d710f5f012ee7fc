import { recoverCommand } from '../../git/snapshotRef.ts';
import type { Claimed, Lease, PreviousAttempt } from '../../store/types.ts';
import { formatAgo, formatSeconds } from '../../system/formatDuration.ts';
import { beginning, oneLine } from '../../system/sentence.ts';

/** Hosts truncate or reject longer reasons; the sum of the parts stays below 8,000. */
const LONGEST = { title: 200, body: 5_000, notes: 1_500, error: 300, place: 200, results: 1_200 } as const;

/** The tasks that it depends on. */
export interface EarlierWork {
  readonly results: readonly { readonly taskId: string; readonly title: string; readonly result: string }[];
  /** Ids of those that there is no room for. */
  readonly others: readonly string[];
}

const NO_EARLIER: EarlierWork = { results: [], others: [] };

/** The prompt that hands a claimed task to a worker's agent. */
export function formatHandover(
  { lease, task, attempt, attemptNumber, previous }: Claimed,
  now: number,
  earlier: EarlierWork = NO_EARLIER,
): string {
  const body = LONGEST.body - (earlier.results.length > 0 ? LONGEST.results : 0);
  const head = `You have a task. Task ${task.id}, attempt ${attemptNumber}, epoch ${lease.epoch}: ${oneLine(task.title, LONGEST.title)}`;
  const parts = [head, boundedText(task.body, body, `stopgate task show ${task.id}`)];
  if (attempt.deadlineAt !== null) parts.push(`Time limit: ${formatSeconds(attempt.deadlineAt - now)}.`);
  if (earlier.results.length > 0) parts.push(describeEarlier(earlier));
  if (previous !== null) parts.push(describePrevious(previous, task.id, now));
  const commands = settleCommands(lease).map((line) => `- ${line}`);
  parts.push(
    ['Settle it with one of these commands, then stop; the next task arrives automatically:', ...commands].join('\n'),
  );
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Each gets an equal part of the room. */
function describeEarlier({ results, others }: EarlierWork): string {
  const most = Math.floor(LONGEST.results / results.length) - 100;
  const lines = results.map(({ taskId, title, result }) => {
    const text = result.trim() === '' ? 'it left no result' : boundedText(result, most, `stopgate task show ${taskId}`);
    return `- task ${taskId} (${oneLine(title, 60)}): ${text}`;
  });
  const more = others.length === 0 ? [] : [`- and ${others.length} more: ${oneLine(others.join(' '), LONGEST.place)}`];
  return ['It depends on these tasks, which are done:', ...lines, ...more].join('\n');
}

/** How an agent settles its task; the epoch proves that it still holds it. */
export function settleCommands({ taskId, epoch }: Pick<Lease, 'taskId' | 'epoch'>): readonly string[] {
  const claim = `${taskId} --epoch ${epoch}`;
  return [
    `done: stopgate task complete ${claim} --result "what you did"`,
    `cannot be done: stopgate task fail ${claim} --error "why"`,
    `give it back: stopgate task release ${claim} --note "notes for the next worker"`,
  ];
}

function describePrevious(previous: PreviousAttempt, taskId: string, now: number): string {
  const { state, error, checkpoint, checkpointAt, endedAt, details } = previous;
  const ended = endedAt === null ? '' : ` ${formatAgo(endedAt, now)}`;
  const why = error === null ? '' : ` (${oneLine(error, LONGEST.error)})`;
  const lines = [`An earlier attempt ended${ended}: ${state.replaceAll('_', ' ')}${why}.`];
  const places = [details.branch, details.wipRef].filter((place) => place !== undefined);
  if (places.length > 0) lines.push(`Its work: ${oneLine(places.join(', '), LONGEST.place)}.`);
  if (details.wipRef !== undefined) {
    lines.push(`To restore it: ${oneLine(recoverCommand(details.wipRef), LONGEST.place)}`);
  }
  if (checkpoint !== null) {
    const age = checkpointAt === null ? '' : `, ${formatAgo(checkpointAt, now)}`;
    lines.push(`Its notes${age}:\n${boundedText(checkpoint, LONGEST.notes, `stopgate task show ${taskId}`)}`);
  }
  return lines.join('\n');
}

/** The beginning of a text, with a line that names how much was left out and where to find it. */
function boundedText(text: string, most: number, whereToRead: string): string {
  const whole = text.trim();
  if (whole.length <= most) return whole;
  const shown = beginning(whole, most);
  return `${shown}\n[… ${whole.length - shown.length} more characters: ${whereToRead}]`;
}
