import { createHash } from 'node:crypto';
import { failureOf, openGit, readLines } from '../../git/git.ts';
import { shownPath } from '../../git/quotedPath.ts';
import type { TreeFacts } from '../../schemas/ledger.ts';
import type { ProcessRunner } from '../../system/processes.ts';
import type { CheckedState } from '../checks/types.ts';

interface TreePlace {
  readonly folder: string;
  readonly startCommit: string | null;
  readonly processes: ProcessRunner;
  readonly env: Readonly<Record<string, string>>;
}

const MOST_FILES = 50;

/** What a stop was about, for its receipt: a reader can take the same diff again. */
export async function treeFacts(state: CheckedState, place: TreePlace): Promise<TreeFacts> {
  const { folder, startCommit } = place;
  const git = openGit(place);
  const plain = { digest: state.files, head: state.head, startCommit };
  const differing = typeof state.tree === 'string' ? [] : [...state.tree.differing.keys()].map(shownPath);
  const listed = (files: readonly string[]) => {
    const all = [...new Set(files)].toSorted();
    return { files: all.slice(0, MOST_FILES), fileCount: all.length };
  };
  if (startCommit === null) return { ...plain, diffSha256: null, ...listed(differing) };
  try {
    const hash = createHash('sha256');
    const diff = {
      folder,
      args: [...DIFF, startCommit, '--'],
      onLine: (line: string) => void hash.update(`${line}\n`),
    };
    const end = await git.run(diff);
    const committed =
      state.head === null || state.head === startCommit
        ? []
        : await readLines(git, { folder, args: [...NAMES, startCommit, state.head] }, (line) => shownPath(line));
    const diffSha256 = end.type === 'done' ? hash.digest('hex') : null;
    return { ...plain, diffSha256, ...listed([...differing, ...committed]) };
  } catch (error) {
    // a commit that is gone; a bug is thrown again
    failureOf(error);
    return { ...plain, diffSha256: null, ...listed(differing) };
  }
}

/** The same bytes on every machine, whatever is configured. */
const DIFF = ['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--full-index', '--binary', '--no-renames'];
const NAMES = ['diff-tree', '-r', '--name-only', '--no-renames', '--no-commit-id'];
