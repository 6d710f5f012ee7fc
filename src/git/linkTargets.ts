import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../system/attempt.ts';
import { type Budget, fileState } from './fileState.ts';
import { folderDigest } from './folderDigest.ts';
import { absolutePath } from './quotedPath.ts';

export interface LinkScope {
  readonly topLevel: string;
  readonly gitDir: string;
  /** Ignored paths, quoted; a folder ends in a slash. */
  readonly ignored: readonly string[];
  readonly budget: Budget;
}

const MAX_LINKS = 5_000;

/**
 * The targets of links that are outside the worktree or ignored: a file by content, a folder by the names, sizes and
 * times of its entries. Links inside such a folder are not followed.
 */
export async function linkTargets(links: readonly string[], scope: LinkScope) {
  /** The target's state, by the quoted path of the link; links to files that count already are left out. */
  const states = new Map<string, string>();
  /** Why a state is missing. */
  let problem: string | undefined;
  if (links.length > MAX_LINKS) return { states, problem: `There are more than ${MAX_LINKS} symbolic links.` };
  const known = new Map<string, string | undefined>();
  const hidden = scope.ignored.map((one) => absolutePath(scope.topLevel, one).toString());
  for (const link of links) {
    const real = realPath(absolutePath(scope.topLevel, link));
    if (real !== undefined && !isOutside(real, scope, hidden)) continue;
    if (real !== undefined && !known.has(real)) known.set(real, await targetState(real, scope.budget));
    const state = real === undefined ? 'leads nowhere' : known.get(real);
    if (state === undefined) problem = `The folder ${real}, which a link leads to, has too many files.`;
    states.set(link, state ?? '');
  }
  return { states, problem };
}

const realPath = (link: Buffer): string | undefined => attempt(() => realpathSync(link), undefined);

function isOutside(real: string, { topLevel, gitDir }: LinkScope, hidden: readonly string[]): boolean {
  if (!isBelow(real, topLevel) || isBelow(real, gitDir)) return true;
  return hidden.some((one) => real === one || (one.endsWith('/') && `${real}/`.startsWith(one)));
}

const isBelow = (file: string, folder: string) => file === folder || file.startsWith(`${folder}${path.sep}`);

/** Undefined for a folder with too many entries. */
async function targetState(real: string, budget: Budget): Promise<string | undefined> {
  if (!statSync(real, { throwIfNoEntry: false })?.isDirectory()) {
    return `${real} ${fileState(Buffer.from(real), { budget, inHead: undefined }).state}`;
  }
  const { digest, isWhole } = await folderDigest(real);
  return isWhole ? `${real} ${digest}` : undefined;
}
