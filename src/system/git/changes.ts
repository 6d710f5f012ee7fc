import type { Git, GitEnd } from './git.ts';

/** One path that is not as HEAD has it; paths as git quotes them. */
export type Change =
  | {
      readonly type: 'tracked';
      readonly path: string;
      /** Its mode and object in HEAD; none for an added or a conflicted file. */
      readonly inHead: { readonly mode: string; readonly object: string } | undefined;
      /** What is staged is neither committed nor in the file: only the index has it. */
      readonly isStagedApart?: boolean;
    }
  | { readonly type: 'deleted'; readonly path: string; readonly isStagedApart?: boolean }
  | { readonly type: 'untracked'; readonly path: string }
  /** Inside is uncommitted work that the outer repository does not see. */
  | { readonly type: 'submodule'; readonly path: string; readonly isDirty: boolean; readonly isMoved: boolean }
  /** A repository in the work tree that the outer one knows nothing of. */
  | { readonly type: 'repository'; readonly path: string };

const GONE = '000000';
const GITLINK = '160000';

/** One line of `git status --porcelain=v2 --no-renames`; undefined for headers and whatever a newer git may add. */
export function readChange(line: string): Change | undefined {
  if (line.startsWith('? ')) return untracked(line.slice(2));
  const fields = line.split(' ');
  if (fields[0] === '1') {
    const [, columns = '', submodule = '', inHead = '', , mode = '', object = ''] = fields;
    const head = inHead === GONE ? undefined : { mode: inHead, object };
    const isStagedApart = /^[AMT][^.]$/.test(columns);
    return tracked({ submodule, mode, inHead: head, path: fields.slice(8).join(' '), isStagedApart });
  }
  if (fields[0] === 'u') {
    const [, , submodule = '', , , , mode = ''] = fields;
    return tracked({ submodule, mode, inHead: undefined, path: fields.slice(10).join(' '), isStagedApart: false });
  }
  return undefined;
}

/** A line that names a path git does not track. */
export function untracked(path: string): Extract<Change, { type: 'untracked' | 'repository' }> {
  // a folder is only listed as a whole when it is a repository
  const repository = /^(.*)\/("?)$/s.exec(path);
  return repository ? { type: 'repository', path: `${repository[1]}${repository[2]}` } : { type: 'untracked', path };
}

interface TrackedFields {
  readonly submodule: string;
  readonly mode: string;
  readonly inHead: Extract<Change, { type: 'tracked' }>['inHead'];
  readonly path: string;
  readonly isStagedApart: boolean;
}

function tracked({ submodule, mode, inHead, path, isStagedApart }: TrackedFields): Change {
  const staged = isStagedApart ? { isStagedApart } : {};
  if (mode === GONE) return { type: 'deleted', path, ...staged };
  if (mode !== GITLINK) return { type: 'tracked', path, inHead, ...staged };
  const [, commit, modified, added] = submodule;
  return { type: 'submodule', path, isDirty: modified === 'M' || added === 'U', isMoved: commit === 'C' };
}

export interface ChangeList {
  readonly changes: readonly Change[];
  /** Untracked files beyond the bound, of which nothing else is known. */
  readonly uncounted: number;
  /** What git says it could not look into. */
  readonly unreadable: readonly string[];
}

export interface ListRequest {
  readonly topLevel: string;
  readonly maxUntracked: number;
  readonly indexFile?: string | undefined;
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** Everything in a work tree that is not as HEAD has it, ignored files left out. */
export async function listChanges(
  git: Git,
  { topLevel, maxUntracked, indexFile, settings }: ListRequest,
): Promise<({ readonly type: 'listed' } & ChangeList) | Extract<GitEnd, { type: 'failed' }>> {
  const changes: Change[] = [];
  let files = 0;
  const end = await git.run({
    folder: topLevel,
    args: ['status', '--porcelain=v2', '--untracked-files=all', '--no-renames', '--ignore-submodules=none'],
    indexFile,
    settings,
    onLine: (line) => {
      const change = readChange(line);
      if (change?.type === 'untracked' && ++files > maxUntracked) return;
      if (change) changes.push(change);
    },
  });
  if (end.type === 'failed') return end;
  return { type: 'listed', changes, uncounted: Math.max(0, files - maxUntracked), unreadable: unreadable(end.stderr) };
}

function unreadable(stderr: string): readonly string[] {
  return [...stderr.matchAll(/^warning: could not open directory '(.*)\/?': /gm)].map(([, path = '']) => path);
}
