import type { ReviewConfig } from '../../../schemas/reviewConfig.ts';
import { UserError } from '../../../system/userError.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { receiptMarkdown } from '../receipt/receiptMarkdown.ts';
import type { AcceptedWork, Accepting, AcceptOptions } from './accepting.ts';
import { gatherReview } from './gatherReview.ts';
import { runPersonsCommand } from './personsPrograms.ts';
import { variableText } from './variableText.ts';

const NO_WAY =
  'Nothing is configured that opens pull requests; give --pr-command or --pr-webhook, or set "prCommand" or "prWebhook" in review.json of ~/.stopgate.';

/** What opens a pull request for work, and its name in messages. */
interface Opener {
  readonly name: string;
  open(work: AcceptedWork, facts: Facts): Promise<OpenedRequest>;
}

type OpenedRequest =
  | { readonly type: 'opened'; readonly url: string | null }
  | { readonly type: 'failed'; readonly reason: string };

/** The one that is named, else the one that is configured. */
export async function openerOf(options: AcceptOptions, config: ReviewConfig, accepting: Accepting): Promise<Opener> {
  const { prCommand, prWebhook } = options;
  if (prCommand !== undefined && prWebhook !== undefined)
    throw new UserError('Choose one of --pr-command and --pr-webhook.');
  const isNamed = prCommand !== undefined || prWebhook !== undefined;
  const command = isNamed ? prCommand : config.prCommand;
  const isWebhook = prWebhook !== undefined || (!isNamed && config.prWebhook?.url !== undefined);
  if (command !== undefined && isWebhook)
    throw new UserError(
      'review.json has a "prCommand" and a "prWebhook" with a "url"; name one with --pr-command or --pr-webhook.',
    );
  if (command !== undefined) return commandOpener(command, accepting);
  if (!isWebhook) throw new UserError(NO_WAY);
  const { callWebhook, webhookOf } = await import('./prWebhook.ts');
  const { world, out } = accepting;
  const webhook = webhookOf(prWebhook, config.prWebhook, world);
  return {
    name: 'webhook',
    open: ({ review, place, commit }, facts) => {
      const proposal = { taskId: review.taskId, epoch: review.epoch, commit, target: place.target };
      return callWebhook(webhook, { proposal, facts, signal: out.signal }, world);
    },
  };
}

const commandOpener = (command: string, { world }: Accepting): Opener => ({
  name: 'command',
  open: async ({ place }, facts) => {
    const variables = Object.entries(facts).map(([name, value]) => [
      `STOPGATE_${variableName(name)}`,
      variableText(value ?? ''),
    ]);
    const env = { ...world.env, ...Object.fromEntries(variables) };
    const ran = runPersonsCommand(command, { env, cwd: place.folder, input: `${JSON.stringify(facts)}\n` });
    if (ran.type === 'failed') return ran;
    const [url = null] = /https?:\/\/\S+/.exec(ran.stdout) ?? [];
    return { type: 'opened', url };
  },
});

/** Opens a pull request for each, by a command or a service of the person. */
export async function proposeAll(work: readonly AcceptedWork[], opener: Opener, accepting: Accepting): Promise<number> {
  const { out, options, world } = accepting;
  const results: object[] = [];
  let code = 0;
  for (const one of work) {
    const { taskId } = one.review;
    const end = await propose(one, opener, accepting);
    if (end.type === 'failed') code = 1;
    results.push({ taskId, ...end });
    if (options.json) continue;
    if (end.type === 'proposed')
      out.print(`Task ${taskId} has a pull request${end.url === null ? '' : `: ${end.url}`}.\n`);
    else
      out.warn(`Task ${taskId} still waits for review: the ${opener.name} for its pull request failed: ${end.reason}.`);
  }
  if (options.json) out.print(`${JSON.stringify({ results })}\n`);
  await world.processes.endAll();
  return code;
}

type Proposed =
  | { readonly type: 'proposed'; readonly url: string | null }
  | { readonly type: 'failed'; readonly reason: string };

async function propose(work: AcceptedWork, opener: Opener, accepting: Accepting): Promise<Proposed> {
  const { store, places, actor } = accepting;
  const { review, place, commit } = work;
  const { receipt } = await gatherReview(review, places);
  const facts = factsOf(work, receipt === null ? (review.result ?? '') : receiptMarkdown(receipt));
  const opened = await opener.open(work, facts);
  if (opened.type === 'failed') return opened;
  const { url } = opened;
  const answer = available(
    await store.changeReview({
      ...{ taskId: review.taskId, epoch: review.epoch, from: ['waiting', 'returned'], to: 'proposed', actor },
      ...{ repository: place.repository, target: place.target, reviewedCommit: commit, reason: url },
    }),
  );
  if (answer.type === 'changed') return { type: 'proposed', url };
  return {
    type: 'failed',
    reason: `it succeeded${url === null ? '' : ` (${url})`}, but another process decided about the task meanwhile`,
  };
}

const variableName = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

type Facts = ReturnType<typeof factsOf>;

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
