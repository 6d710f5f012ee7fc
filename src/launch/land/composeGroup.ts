import path from 'node:path';
import { cleanCheckout } from '../../git/cleanCheckout.ts';
import { identityFor } from '../../git/commitWork.ts';
import { failureOf, outputOf } from '../../git/git.ts';
import { type CombineRequest, combineWork, commitOf } from '../../git/landing/combineWork.ts';
import type { Landing, LandingItem } from './landing.ts';

/** The work of some attempts on top of a branch, in commits that nothing points to yet. */
export interface Composition {
  readonly type: 'composed';
  /** In the order of their commits, each on top of the one before. */
  readonly combined: readonly { readonly item: LandingItem; readonly commit: string }[];
  /** Their work is on the branch already. */
  readonly contained: readonly LandingItem[];
  /** Their work is in that of the ones before them, which may still be refused. */
  readonly covered: readonly LandingItem[];
  /** Git cannot combine them with anything, which must not keep the others from landing. */
  readonly unusable: readonly { readonly item: LandingItem; readonly reason: string }[];
  /** `isOwn`: with the branch itself, not with an attempt before it. */
  readonly conflicts: readonly {
    readonly item: LandingItem;
    readonly files: readonly string[];
    readonly isOwn: boolean;
  }[];
}

type Uncomposed = { readonly type: 'failed'; readonly reason: string };

/** In a checkout of its own, so that no worktree of the user is touched. */
export async function composeGroup(
  items: readonly LandingItem[],
  tip: string,
  { git, world, place }: Pick<Landing, 'git' | 'world' | 'place'>,
): Promise<Composition | Uncomposed> {
  const parent = path.join(world.stopgateHome, 'land');
  const checkout = await cleanCheckout(git, { folder: place.folder, commit: tip, parent });
  if (checkout.type === 'failed') return checkout;
  await using open = checkout;
  const identity = await identityFor(git, place.folder);
  return await composeIn(items, tip, { git, folder: open.path, identity }).catch(failureOf);
}

async function composeIn(
  items: readonly LandingItem[],
  tip: string,
  { git, ...checkout }: Pick<Landing, 'git'> & Pick<CombineRequest, 'folder' | 'identity'>,
): Promise<Composition | Uncomposed> {
  const combined: Composition['combined'][number][] = [];
  const contained: LandingItem[] = [];
  const covered: LandingItem[] = [];
  const unusable: Composition['unusable'][number][] = [];
  const conflicts: Composition['conflicts'][number][] = [];
  for (const item of items) {
    const work = { method: item.method ?? 'merge', commit: item.reviewedCommit, message: messageOf(item) };
    const request = { ...checkout, ...work };
    const end = await combineWork(git, request);
    if (end.type === 'failed') {
      // of one that is alone, or everywhere, the reason may be the machine's
      if (unusable.length + 1 === items.length || !(await isAt(request, combined.at(-1)?.commit ?? tip, git)))
        return { type: 'failed', reason: `task ${item.taskId}: ${end.reason}` };
      unusable.push({ item, reason: end.reason });
    }
    if (end.type === 'combined') combined.push({ item, commit: end.commit });
    if (end.type === 'contained') (combined.length === 0 ? contained : covered).push(item);
    if (end.type !== 'conflict') continue;
    const last = combined.at(-1)?.commit;
    conflicts.push(await conflictOf(item, end.files, { git, request, tip, last }));
  }
  return { type: 'composed', combined, contained, covered, unusable, conflicts };
}

const isAt = async ({ folder }: CombineRequest, commit: string, git: Landing['git']) =>
  (await commitOf(git, folder, 'HEAD')) === commit;

interface Conflicting {
  readonly git: Landing['git'];
  readonly request: CombineRequest;
  readonly tip: string;
  /** Of the combined work before it. */
  readonly last: string | undefined;
}

/** Whether it also conflicts without the work before it; HEAD of the checkout is as it was afterwards. */
async function conflictOf(
  item: LandingItem,
  files: readonly string[],
  { git, request, tip, last }: Conflicting,
): Promise<Composition['conflicts'][number]> {
  if (last === undefined) return { item, files, isOwn: true };
  const { folder } = request;
  const goTo = (commit: string) =>
    outputOf(git, { folder, args: ['checkout', '--quiet', '--force', '--detach', commit], mayFetch: true });
  await goTo(tip);
  const alone = await combineWork(git, request);
  await goTo(last);
  return alone.type === 'conflict' ? { item, files: alone.files, isOwn: true } : { item, files, isOwn: false };
}

const LONGEST_TITLE = 100;
const LONGEST_RESULT = 2_000;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Of the merge commit, or of a squashed one: which task it is, and what its agent reported. */
function messageOf({ method, taskId, epoch, title, result }: LandingItem): string {
  const short = oneLine(title).slice(0, LONGEST_TITLE);
  const subject = method === 'squash' ? short : `Merge task ${taskId}: ${short}`;
  // a line that starts with # could be taken for a comment
  const report = (result ?? '').trim().slice(0, LONGEST_RESULT).replaceAll(/^#/gm, ' #');
  const trailer = `Stopgate-Task: ${taskId}\nStopgate-Attempt: ${epoch}`;
  return [subject, ...(report === '' ? [] : [report]), trailer].join('\n\n');
}
