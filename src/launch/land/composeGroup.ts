import path from 'node:path';
import { cleanCheckout } from '../../git/cleanCheckout.ts';
import { identityFor } from '../../git/commitWork.ts';
import { combineWork } from '../../git/landing/combineWork.ts';
import type { Landing, LandingItem } from './landing.ts';

/** The work of some attempts on top of a branch, in commits that nothing points to yet. */
export interface Composition {
  readonly type: 'composed';
  /** In the order of their commits, each on top of the one before. */
  readonly combined: readonly { readonly item: LandingItem; readonly commit: string }[];
  /** Their work is on the branch already. */
  readonly contained: readonly LandingItem[];
  /** `isOwn`: with the branch itself, not with an attempt before it. */
  readonly conflicts: readonly {
    readonly item: LandingItem;
    readonly files: readonly string[];
    readonly isOwn: boolean;
  }[];
}

/** In a checkout of its own, so that no worktree of the user is touched. */
export async function composeGroup(
  items: readonly LandingItem[],
  tip: string,
  { git, world, place }: Pick<Landing, 'git' | 'world' | 'place'>,
): Promise<Composition | { readonly type: 'failed'; readonly reason: string }> {
  const parent = path.join(world.stopgateHome, 'land');
  const checkout = await cleanCheckout(git, { folder: place.folder, commit: tip, parent });
  if (checkout.type === 'failed') return checkout;
  await using open = checkout;
  const identity = await identityFor(git, place.folder);
  const made = { combined: [], contained: [], conflicts: [] } as {
    combined: Composition['combined'][number][];
    contained: LandingItem[];
    conflicts: Composition['conflicts'][number][];
  };
  for (const item of items) {
    const method = item.method ?? 'merge';
    const request = { folder: open.path, method, commit: item.reviewedCommit, message: messageOf(item), identity };
    const end = await combineWork(git, request);
    if (end.type === 'failed') return { type: 'failed', reason: `task ${item.taskId}: ${end.reason}` };
    if (end.type === 'combined') made.combined.push({ item, commit: end.commit });
    if (end.type === 'contained') made.contained.push(item);
    if (end.type === 'conflict') made.conflicts.push({ item, files: end.files, isOwn: made.combined.length === 0 });
  }
  return { type: 'composed', ...made };
}

const LONGEST_TITLE = 100;
const LONGEST_RESULT = 2_000;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** Of the merge commit, or of a squashed one: which task it is, and what its agent reported. */
export function messageOf({ method, taskId, epoch, title, result }: LandingItem): string {
  const short = oneLine(title).slice(0, LONGEST_TITLE);
  const subject = method === 'squash' ? short : `Merge task ${taskId}: ${short}`;
  // a line that starts with # could be taken for a comment
  const report = (result ?? '').trim().slice(0, LONGEST_RESULT).replaceAll(/^#/gm, ' #');
  const trailer = `Stopgate-Task: ${taskId}\nStopgate-Attempt: ${epoch}`;
  return [subject, ...(report === '' ? [] : [report]), trailer].join('\n\n');
}
