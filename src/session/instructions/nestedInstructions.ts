import { dirname, relative, resolve, sep } from 'node:path';
import type { FolderTrust } from '../trust/folderTrust.ts';
import type { InstructionFile, LoadedInstructions, PathRule } from './instructionFile.ts';
import { ruleMatcher } from './pathRules.ts';

/** Instructions of folders below the project; each folder is read once. */
export interface NestedInstructions {
  /** Whether the file's folder, or one between it and the project, is new. Cheap, because it is called at every read. */
  isNew(file: string): boolean;
  /** Those of the new folders, outermost first. */
  load(file: string): Promise<LoadedInstructions>;
}

const NOTHING: LoadedInstructions = { files: [], problems: [] };

export const noNestedInstructions: NestedInstructions = { isNew: () => false, load: async () => NOTHING };

export interface NestedInstructionsOptions {
  readonly projectDir: string;
  readonly homeDir: string;
  readonly trust: FolderTrust;
  /** Files that the session started with. */
  readonly loaded: readonly string[];
  /** Rules for some paths only. */
  readonly rules?: readonly PathRule[];
}

export function nestedInstructions(options: NestedInstructionsOptions): NestedInstructions {
  const { projectDir } = options;
  const seen = new Set([projectDir]);
  const loaded = new Set(options.loaded);
  const rules = waitingRules(options.rules ?? []);
  return {
    isNew: (file) => (isBelow(file, projectDir) && !seen.has(dirname(file))) || rules.some(file),
    async load(file) {
      const below = isBelow(file, projectDir) ? foldersTo(dirname(file), projectDir) : [];
      const folders = below.filter((folder) => !seen.has(folder));
      for (const folder of folders) seen.add(folder);
      if (folders.length === 0) return { files: rules.take(file), problems: [] };
      // the loader is large and most sessions never read below the root
      const { loadFolders } = await import('./loadInstructions.ts');
      const found = await loadFolders(folders, { ...options, loaded });
      for (const { path } of found.files) loaded.add(path);
      rules.add(found.rules ?? []);
      return { ...found, files: [...found.files, ...rules.take(file)] };
    },
  };
}

/** Rules whose files have not been read; each is loaded once. */
function waitingRules(first: readonly PathRule[]) {
  let waiting = first.map((rule) => ({ rule, fits: ruleMatcher(rule) }));
  return {
    some: (file: string) => waiting.some(({ fits }) => fits(file)),
    add: (rules: readonly PathRule[]) => {
      waiting = [...waiting, ...rules.map((rule) => ({ rule, fits: ruleMatcher(rule) }))];
    },
    take: (file: string): InstructionFile[] => {
      const held = waiting.filter(({ fits }) => fits(file));
      waiting = waiting.filter((one) => !held.includes(one));
      return held.map(({ rule }) => rule.file);
    },
  };
}

const isBelow = (file: string, folder: string) => file.startsWith(folder + sep);

/** The folders between `from` and `to`, without `from`, outermost first. */
function foldersTo(to: string, from: string): string[] {
  const steps = relative(from, to).split(sep).filter(Boolean);
  return steps.map((_, depth) => resolve(from, ...steps.slice(0, depth + 1)));
}
