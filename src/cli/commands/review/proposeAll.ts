import { UserError } from '../../../system/userError.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { receiptMarkdown } from '../receipt/receiptMarkdown.ts';
import { gatherReview } from './gatherReview.ts';
import { runPersonsCommand } from './personsPrograms.ts';
import type { AcceptedWork, Accepting } from './runAccept.ts';

const NO_COMMAND =
  'There is no command that opens pull requests; give --pr-command, or set "prCommand" in review.json of ~/.stopgate.';

/** Opens a pull request for each, with a command of the person. */
export async function proposeAll(
  work: readonly AcceptedWork[],
  command: string | undefined,
  accepting: Accepting,
): Promise<number> {
  if (command === undefined) throw new UserError(NO_COMMAND);
  const { out, options, world } = accepting;
  const results: object[] = [];
  let code = 0;
  for (const one of work) {
    const { taskId } = one.review;
    const end = await propose(one, command, accepting);
    if (end.type === 'failed') code = 1;
    results.push({ taskId, ...end });
    if (options.json) continue;
    if (end.type === 'proposed')
      out.print(`Task ${taskId} has a pull request${end.url === null ? '' : `: ${end.url}`}.\n`);
    else out.warn(`Task ${taskId} still waits for review: the command for its pull request failed: ${end.reason}.`);
  }
  if (options.json) out.print(`${JSON.stringify({ results })}\n`);
  await world.processes.endAll();
  return code;
}

type Proposed =
  | { readonly type: 'proposed'; readonly url: string | null }
  | { readonly type: 'failed'; readonly reason: string };

async function propose(work: AcceptedWork, command: string, accepting: Accepting): Promise<Proposed> {
  const { store, places, world, actor } = accepting;
  const { review, place, commit } = work;
  const { receipt } = await gatherReview(review, places);
  const facts = factsOf(work, receipt === null ? (review.result ?? '') : receiptMarkdown(receipt));
  const variables = Object.entries(facts).map(([name, value]) => [`STOPGATE_${variableName(name)}`, value ?? '']);
  const env = { ...world.env, ...Object.fromEntries(variables) };
  const ran = runPersonsCommand(command, { env, cwd: place.folder, input: `${JSON.stringify(facts)}\n` });
  if (ran.type === 'failed') return ran;
  const [url = null] = /https?:\/\/\S+/.exec(ran.stdout) ?? [];
  const answer = available(
    await store.changeReview({
      ...{ taskId: review.taskId, epoch: review.epoch, from: ['waiting', 'returned'], to: 'proposed', actor },
      ...{ repository: place.repository, target: place.target, reviewedCommit: commit, reason: url },
    }),
  );
  if (answer.type === 'changed') return { type: 'proposed', url };
  return {
    type: 'failed',
    reason: `it ran${url === null ? '' : ` (${url})`}, but another process decided about the task meanwhile`,
  };
}

const variableName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const factsOf = ({ review, place, commit, base }: AcceptedWork, body: string) => ({
  taskId: review.taskId,
  title: review.title,
  branch: review.details.branch ?? null,
  commit,
  base: base ?? null,
  target: place.target,
  result: review.result,
  receipt: review.details.receipt ?? null,
  body,
});
