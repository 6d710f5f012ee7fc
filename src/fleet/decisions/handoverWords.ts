import { recoverCommand } from '../../git/snapshotRef.ts';
import type { Claimed, PreviousAttempt } from '../../store/types.ts';
import { agoInWords, spanInWords } from './ages.ts';
import { boundedLine, boundedText } from './boundedText.ts';
import { settleCommands } from './settleCommands.ts';

/** Hosts cut or refuse longer reasons; the sum of the parts stays below 8,000. */
const LONGEST = { title: 200, body: 5_000, notes: 1_500, error: 300, place: 200 } as const;

/** What a worker is told with the task that it was just given. */
export function handoverWords({ lease, task, attempt, attemptNumber, previous }: Claimed, now: number): string {
  const head = `You have a task. Task ${task.id}, attempt ${attemptNumber}, epoch ${lease.epoch}: ${boundedLine(task.title, LONGEST.title)}`;
  const parts = [head, boundedText(task.body, LONGEST.body, `stopgate task show ${task.id}`)];
  if (attempt.deadlineAt !== null) parts.push(`Time for it: ${spanInWords(attempt.deadlineAt - now)}.`);
  if (previous !== null) parts.push(earlierWords(previous, task.id, now));
  const commands = settleCommands(lease).map((line) => `- ${line}`);
  parts.push(['Settle it with one of these, then stop; the next task comes by itself:', ...commands].join('\n'));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** The next attempt starts from what the last one left. */
function earlierWords(previous: PreviousAttempt, taskId: string, now: number): string {
  const { state, error, checkpoint, checkpointAt, endedAt, details } = previous;
  const ended = endedAt === null ? '' : ` ${agoInWords(endedAt, now)}`;
  const why = error === null ? '' : ` (${boundedLine(error, LONGEST.error)})`;
  const lines = [`An earlier attempt ended${ended}: ${state.replaceAll('_', ' ')}${why}.`];
  const places = [details.branch, details.wipRef].filter((place) => place !== undefined);
  if (places.length > 0) lines.push(`Its work: ${boundedLine(places.join(', '), LONGEST.place)}.`);
  if (details.wipRef !== undefined) {
    lines.push(`To bring it back: ${boundedLine(recoverCommand(details.wipRef), LONGEST.place)}`);
  }
  if (checkpoint !== null) {
    const age = checkpointAt === null ? '' : `, ${agoInWords(checkpointAt, now)}`;
    lines.push(`Its notes${age}:\n${boundedText(checkpoint, LONGEST.notes, `stopgate task show ${taskId}`)}`);
  }
  return lines.join('\n');
}
