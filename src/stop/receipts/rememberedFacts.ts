import { lstatSync } from 'node:fs';
import path from 'node:path';
import type { TreeFacts } from '../../schemas/ledger.ts';
import { attempt } from '../../system/attempt.ts';
import type { ChecksMemory } from '../checks/memory.ts';
import type { CheckedState } from '../checks/types.ts';
import { beginTreeFacts, type TreePlace } from './treeFacts.ts';

export type FactsOf = (state: CheckedState) => Promise<TreeFacts>;

interface FactsPlace extends TreePlace {
  /** A check may have changed the files since they were last on record. */
  readonly isNew: boolean;
}

/**
 * The facts about a state, taken once: the key of a state has everything that a diff since the start depends on, the files, what
 * is staged and the repository's configuration. Taking a diff reads all of git's index.
 */
export function rememberedFacts(
  place: FactsPlace,
  memory: Pick<ChecksMemory, 'treeFacts' | 'rememberTreeFacts'>,
): FactsOf {
  const begun = place.isNew ? beginTreeFacts(place) : undefined;
  return async (state) => {
    const id = state.key === null || place.startCommit === null ? null : `${state.key} ${place.startCommit}`;
    const known = id === null || place.isNew ? null : await memory.treeFacts(id);
    if (known !== null) return known;
    const { facts, inDiff } = await (begun ?? beginTreeFacts(place))(state);
    if (id !== null && inDiff !== null && wereUntouched(inDiff, state)) {
      // without a record the diff is taken again
      await memory.rememberTreeFacts(id, facts).catch(() => {});
    }
    return facts;
  };
}

const GIT_FILES = ['', 'index', 'config', 'config.worktree', 'info', 'info/attributes'];

/**
 * Whether the diff is of the same files as the state: none of them, of the folders above them and of the files that git obeys was
 * touched since their reading began, by the change time, which no program can set (only a write through a shared mapping moves it
 * late). Otherwise a process that exchanges a file for a short time could leave a false diff on record.
 */
export function wereUntouched(inDiff: readonly string[], { reading }: Pick<CheckedState, 'reading'>): boolean {
  if (reading === undefined) return false;
  const { topLevel } = reading;
  // a linked worktree has its configuration elsewhere
  const gitDir = path.join(topLevel, '.git');
  if (reading.gitDir !== gitDir) return false;
  const folders = new Set(['', ...inDiff.flatMap(foldersAbove)]);
  const files = [...folders].flatMap((folder) => [folder, path.join(folder, '.gitattributes')]);
  const all = [
    ...[...inDiff, ...files].map((file) => path.join(topLevel, file)),
    ...GIT_FILES.map((file) => path.join(gitDir, file)),
  ];
  return all.every((file) => isOlder(file, reading.beganAt));
}

function foldersAbove(file: string): readonly string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** A file that is not there counts by the folder above it. */
function isOlder(file: string, time: number): boolean {
  const change = attempt(() => lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0, Number.POSITIVE_INFINITY);
  return change < time;
}
