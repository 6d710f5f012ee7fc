/** How a file was when its content was last seen or written by the agent. */
export interface SeenFile {
  readonly mtimeMs: number;
  readonly size: number;
  readonly digest: string;
}

/** Which files an agent has seen in this session, by real path; what it has not seen it may not overwrite. */
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

/** Null when a file may be overwritten, else a sentence. A `touch` alone does not make a file stale. */
export function whyNotOverwrite(path: string, seen: SeenFile | undefined, now: SeenFile): string | null {
  if (!seen) return `${path} was not read in this session. Read it first, then change it.`;
  if (seen.digest === now.digest) return null;
  return `${path} was changed by somebody else after it was read. Read it again, then change it.`;
}
