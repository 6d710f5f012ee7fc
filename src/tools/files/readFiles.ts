/** The state of a file when the agent last read or wrote it. */
export interface SeenFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly digest: string;
}

/** The files that an agent has read in this session, by real path; it may overwrite only these. */
export interface ReadFiles {
  remember(realPath: string, seen: SeenFile): void;
  recall(realPath: string): SeenFile | undefined;
}

export function readFiles(): ReadFiles {
  const files = new Map<string, SeenFile>();
  return {
    remember: (realPath, { mtimeMs, size, digest }) => void files.set(realPath, { mtimeMs, size, digest }),
    recall: (realPath) => files.get(realPath),
  };
}

/** Null when a file may be overwritten, else why not. A `touch` alone does not make it stale. */
export function whyNotOverwrite(path: string, seen: SeenFile | undefined, now: SeenFile): string | null {
  if (!seen) return `${path} was not read in this session. Read it first, then change it.`;
  if (seen.digest === now.digest) return null;
  return `${path} was changed after it was read. Read it again, then change it.`;
}
