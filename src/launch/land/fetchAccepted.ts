import { hasCommit } from '../attempt/repository/commits.ts';
import { fetchStart } from '../attempt/repository/fetchStart.ts';
import { type Landing, type LandingItem, type LandingStopped, shortCommit, stopped } from './landing.ts';
import { cacheIn } from './landingTarget.ts';
import { settleReturned } from './settleReview.ts';

type FetchedItems = { readonly type: 'items'; readonly items: readonly LandingItem[] } | LandingStopped;

/** What was accepted on another machine is fetched. What the remote does not have goes back to the person. */
export async function fetchAccepted(items: readonly LandingItem[], landing: Landing): Promise<FetchedItems> {
  const { git, place, world } = landing;
  const { folder, origin } = place;
  const lacking = await missing(items, landing);
  if (origin === undefined || lacking.length === 0) return { type: 'items', items };
  const branches = lacking.flatMap(({ details }) => details.branch ?? []);
  const request = { folder, remote: origin.remote, base: null, branches };
  const fetched = await fetchStart(git, request, cacheIn(world));
  if (fetched.type === 'failed') return stopped(fetched.reason);
  const gone = await missing(lacking, landing);
  for (const item of gone) {
    const commit = shortCommit(item.reviewedCommit);
    const reason = `Its commit ${commit} is not on ${origin.remote.url}; accept it on the machine that has it.`;
    // another attempt would not bring it back
    const no = await settleReturned({ ...item, returnTo: null }, { reason, notes: reason }, landing);
    if (no !== null) return no;
  }
  return { type: 'items', items: items.filter((item) => !gone.includes(item)) };
}

async function missing(
  items: readonly LandingItem[],
  { git, place }: Pick<Landing, 'git' | 'place'>,
): Promise<readonly LandingItem[]> {
  const found: LandingItem[] = [];
  for (const item of items) if (!(await hasCommit(git, place.folder, item.reviewedCommit))) found.push(item);
  return found;
}
