/** What is known of the permissions around one file of a restore. */
export interface PermissionFacts {
  /** As the kept state recorded them; none in states of earlier versions. */
  readonly kept: number | undefined;
  /** Of the file that is replaced; none where there is no file. */
  readonly present: number | undefined;
  /** What the file had at the base of the kept state, where that is known. */
  readonly base: number | undefined;
  readonly isExecutable: boolean;
}

const USUAL = 0o644;
const READ_AND_WRITE = 0o066;

/**
 * The permissions that a restored file gets: the recorded ones, but never access for others that the present file was
 * denied since. Undefined: whatever a new file gets.
 */
export function permissionsFor({ kept, present, base, isExecutable }: PermissionFacts): number | undefined {
  if (kept === undefined) return present === undefined ? undefined : likePresent(present, isExecutable);
  if (present === undefined) return kept;
  const isNarrowed = ((base ?? USUAL) & ~present & READ_AND_WRITE) !== 0;
  return isNarrowed ? kept & (present | 0o700) : kept;
}

/** Git knows only whether a file can be run; who may read it stays as it is. */
function likePresent(present: number, isExecutable: boolean): number {
  const readable = present & 0o666;
  return isExecutable ? readable | ((readable & 0o444) >> 2) : readable;
}
