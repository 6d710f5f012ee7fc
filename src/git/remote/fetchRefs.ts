import { type Network, REMOTE, type RemoteFailure } from './networkGit.ts';

/** Where refs of a remote are kept here: outside of everything that a person or an agent uses. */
const FETCHED = 'refs/stopgate/remote';

/** The name here of a ref of the remote. */
export const fetchedRef = (ref: string): string => `${FETCHED}/${ref.replace(/^refs\//, '')}`;

/** The refs of a remote by their full names, with their objects. */
export type RemoteRefs = ReadonlyMap<string, string>;

/** Those that match a full name; `*` stands for any characters. Also HEAD, if it is named. */
export async function listRefs(network: Network, patterns: readonly string[]): Promise<RemoteRefs | RemoteFailure> {
  const args = ['ls-remote', '--quiet', REMOTE, ...patterns];
  const end = await network.run({ args, timeoutMs: network.limits.listMs });
  if (end.type === 'failed') return end;
  const wanted = patterns.map(
    (one) => new RegExp(`^${one.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`),
  );
  const found = end.stdout.split('\n').flatMap((line) => {
    const [id = '', ref = ''] = line.split('\t');
    // git matches the end of a name
    return wanted.some((pattern) => pattern.test(ref)) ? [[ref, id] as const] : [];
  });
  return new Map(found);
}

/** Fetches these refs, or commits by their ids, with all that they need. Branches and tags of the repository do not change. */
export async function fetchRefs(
  network: Network,
  refs: readonly string[],
): Promise<{ readonly type: 'fetched' } | RemoteFailure> {
  if (refs.length === 0) return { type: 'fetched' };
  const gone = await removeHiding(network, refs);
  if (gone !== null) return gone;
  const specs = refs.map((ref) => `+${ref}:${fetchedRef(ref)}`);
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', REMOTE, ...specs];
  const end = await network.run({ args, timeoutMs: network.limits.fetchMs });
  return end.type === 'failed' ? end : { type: 'fetched' };
}

/** A remote that has `a/b` has no `a` any more, and the other way round: what was fetched of it would keep git from fetching. */
async function removeHiding(network: Network, refs: readonly string[]): Promise<RemoteFailure | null> {
  const names = new Set(refs.map(fetchedRef));
  const above = new Set([...names].flatMap(foldersOf));
  const isHiding = (old: string) => above.has(old) || foldersOf(old).some((folder) => names.has(folder));
  const end = await network.run({ args: ['for-each-ref', '--format=%(refname)', FETCHED] });
  if (end.type === 'failed') return end;
  for (const old of end.stdout.split('\n').filter(isHiding)) {
    const removed = await network.run({ args: ['update-ref', '--no-deref', '-d', old] });
    if (removed.type === 'failed') return removed;
  }
  return null;
}

const foldersOf = (name: string) => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));
