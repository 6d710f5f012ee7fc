import { pathBytes } from '../quotedPath.ts';
import type { TreeChange, TreeDiff, TreeEntry } from '../treeDiff.ts';

/** The restore of one path; paths as git quotes them. */
export interface RestoreStep {
  readonly path: string;
  /** Undefined when the kept state removed the file. */
  readonly kept: TreeEntry | undefined;
  readonly present: TreeEntry | undefined;
}

interface Refused {
  readonly path: string;
  readonly why: 'changedSince' | 'inTheWay';
  readonly reason: string;
}

interface SubmoduleState {
  readonly path: string;
  /** Undefined if it was removed. */
  readonly commit: string | undefined;
}

export interface RestorePlan {
  readonly steps: readonly RestoreStep[];
  readonly refused: readonly Refused[];
  /** Paths that already equal the kept state. */
  readonly already: readonly string[];
  readonly submodules: readonly SubmoduleState[];
}

/** What is on disk at a path; git does not see all files. */
export type DiskFact =
  | { readonly type: 'nothing' }
  | { readonly type: 'file' }
  /** The files below the folder, up to a limit. */
  | { readonly type: 'folder'; readonly files: readonly string[] }
  /** An entry above the path is not a folder. */
  | { readonly type: 'blocked'; readonly by: string };

export interface RestoreFacts {
  /** From the base of the kept state to the kept state. */
  readonly changed: TreeDiff;
  /** From the present files to the base, and to the kept state. */
  readonly toBase: TreeDiff;
  readonly toKept: TreeDiff;
  /** Files that differ from the base, or from the kept state, only by git's conversions. */
  readonly asBase: ReadonlySet<string>;
  readonly asKept: ReadonlySet<string>;
  /** Files that a snapshot of the present cannot hold, so they must not be changed. */
  readonly notKept: ReadonlySet<string>;
  readonly disk: (path: string) => DiskFact;
  /** Whether the caller selected the path. */
  readonly isWanted: (path: string) => boolean;
  /** Whether the path may be overwritten although it changed since. */
  readonly mayOverwrite: (path: string) => boolean;
}

const SUBMODULE = '160000';

/**
 * A three-way comparison for each path that the kept state changed: if it equals the base, it is restored; if it equals
 * the kept state, there is nothing to do; otherwise it changed since and is refused, unless the caller allows it.
 */
export function decideRestore(facts: RestoreFacts): RestorePlan {
  const wanted = [...facts.changed].filter(([path]) => facts.isWanted(path));
  const files = wanted.filter(([, change]) => !isSubmodule(change));
  const isAsKept = (path: string) => !facts.toKept.has(path) || facts.asKept.has(path);
  const already = files.filter(([path]) => isAsKept(path)).map(([path]) => path);
  const differing = files.filter(([path]) => !isAsKept(path));
  const refused = differing.filter(([path]) => isChangedSince(facts, path)).map(([path]) => changedSince(path));
  const isRefused = new Set(refused.map(({ path }) => path));
  const possible = differing.filter(([path]) => !isRefused.has(path)).map(([path]) => stepFor(facts, path));
  const { steps, blocked } = withoutBlocked(possible, facts);
  return {
    steps,
    already,
    refused: [...refused, ...blocked],
    submodules: wanted
      .filter(([, change]) => isSubmodule(change))
      .map(([path, { after }]) => ({ path, commit: after?.mode === SUBMODULE ? after.object : undefined })),
  };
}

const isSubmodule = ({ before, after }: TreeChange) => before?.mode === SUBMODULE || after?.mode === SUBMODULE;

const isChangedSince = ({ toBase, asBase, mayOverwrite }: RestoreFacts, path: string) =>
  toBase.has(path) && !asBase.has(path) && !mayOverwrite(path);

const changedSince = (path: string): Refused => ({ path, why: 'changedSince', reason: 'it changed since' });

function stepFor({ toKept }: RestoreFacts, path: string): RestoreStep {
  const change = toKept.get(path);
  return { path, kept: change?.after, present: change?.before };
}

/** One refusal can cause another: a file that stays blocks a folder of the same name. */
function withoutBlocked(possible: readonly RestoreStep[], facts: RestoreFacts) {
  const blocked: Refused[] = [];
  let steps = possible;
  for (;;) {
    const removed = new Set(steps.filter(({ kept }) => kept === undefined).map(({ path }) => keyOf(path)));
    const found = steps.flatMap((step) => {
      const reason = whyBlocked(step, facts, removed);
      return reason === undefined ? [] : [{ path: step.path, why: 'inTheWay', reason } as const];
    });
    if (found.length === 0) return { steps, blocked };
    blocked.push(...found);
    const isBlocked = new Set(found.map(({ path }) => path));
    steps = steps.filter(({ path }) => !isBlocked.has(path));
  }
}

function whyBlocked(
  { path, present, kept }: RestoreStep,
  facts: RestoreFacts,
  removed: ReadonlySet<string>,
): string | undefined {
  if (facts.notKept.has(keyOf(path))) return 'its present content could not be kept first';
  const there = facts.disk(path);
  if (there.type === 'blocked') {
    return removed.has(there.by) || kept === undefined ? undefined : 'a file is where its folder was';
  }
  if (there.type === 'file') return present === undefined ? 'a file that git ignores is in its place' : undefined;
  if (there.type === 'nothing') return undefined;
  const other = there.files.some((file) => !removed.has(file));
  return other ? 'a folder with other files is in its place' : undefined;
}

/** The same for every quoting of a path. */
export const keyOf = (path: string): string => pathBytes(path).toString('latin1');
