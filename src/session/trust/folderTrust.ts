import { statSync } from 'node:fs';
import type { TrustedContent, TrustedFile, TrustRecord } from '../../schemas/trust.ts';
import { approvalsOf } from './approvals.ts';
import { type FileChange, fileComparison } from './trustedFiles.ts';
import type { TrustItem } from './trustItem.ts';
import type { TrustStore } from './trustStore.ts';

/**
 * How far a folder is trusted. `run`: as it is, for this run, by a person's flag or variable. `content`: what a person
 * approved, as far as it is unchanged. `path`: by a record of an older version, which approved no content.
 */
type TrustLevel = 'run' | 'content' | 'path' | 'none';

/** Decides for each thing that a folder's own files want to do. */
export interface FolderTrust {
  readonly level: TrustLevel;
  /** Null when it may; else the reason, as a clause. Cheap: files are read only when `stat` shows a change. */
  whyNot(item: TrustItem): string | null;
  /** Whether an approved item runs the file, by its path from the folder. */
  covers(item: TrustItem, file: string): boolean;
  /** Whether a person approved anything of a kind, whatever became of it. */
  approves?(kind: TrustItem['kind']): boolean;
  /** Where the approval is recorded; absent where none is asked. */
  readonly recordFile?: string;
}

const AGAIN = 'run `stopgate trust`';
export const CHANGED = `changed since you trusted it: ${AGAIN}`;
export const ADDED = `added since you trusted this folder: ${AGAIN}`;
export const NOT_TRUSTED = 'this project is not trusted: run `stopgate trust` here, or pass --trust-project';
/** For a record of an older version. */
export const BY_PATH =
  'this project was trusted before Stopgate recorded what was approved, and nothing of it runs: run `stopgate trust` again';

export const TRUSTED: FolderTrust = { level: 'run', whyNot: () => null, covers: () => true };
export const UNTRUSTED: FolderTrust = { level: 'none', whyNot: () => NOT_TRUSTED, covers: () => false };

/** Whether a person trusts the folder, whatever changed in it since. */
export const isTrustedAtAll = ({ level }: Pick<FolderTrust, 'level'>): boolean =>
  level === 'run' || level === 'content';

interface Approved {
  readonly store: TrustStore;
  /** The folder that a person trusted, by its real path. */
  readonly recorded: string;
  /** The folder in use: the same, or one of our worktrees of it. */
  readonly folder: string;
  readonly clock: () => number;
}

/** By the record of a folder, which is read again when it changes: a person may approve or revoke while a session runs. */
export function approvedTrust({ store, recorded, folder, clock }: Approved): FolderTrust {
  const file = store.fileOf(recorded);
  let stamp: string | undefined;
  let now = approvalOf(null, folder, clock);
  const current = () => {
    const found = statSync(file, { throwIfNoEntry: false, bigint: true });
    const next = found === undefined ? 'gone' : `${found.ino} ${found.ctimeNs}`;
    if (next !== stamp) now = approvalOf(found === undefined ? null : store.read(recorded), folder, clock);
    stamp = next;
    return now;
  };
  return {
    recordFile: file,
    get level() {
      return current().level;
    },
    whyNot: (item) => current().whyNot(item),
    covers: (item, path) => current().covers(item, path),
    approves: (kind) => current().approves?.(kind) ?? false,
  };
}

function approvalOf(record: TrustRecord | null, folder: string, clock: () => number): FolderTrust {
  if (record === null) return UNTRUSTED;
  if (record.content === undefined) return { level: 'path', whyNot: () => BY_PATH, covers: () => false };
  return anyTrust(approvalsOf(record).map(({ content }) => contentTrust(content, fileComparison(folder, clock))));
}

/** What any of several approvals allows, the latest first: each counts as a whole, with the files of its own entries. */
export function anyTrust(approvals: readonly FolderTrust[]): FolderTrust {
  const [latest = UNTRUSTED] = approvals;
  return {
    level: 'content',
    whyNot: (item) => {
      const reasons: string[] = [];
      for (const { whyNot } of approvals) {
        const reason = whyNot(item);
        if (reason === null) return null;
        reasons.push(reason);
      }
      // an approval that does not know the entry explains less
      return reasons.find((reason) => reason !== ADDED) ?? ADDED;
    },
    covers: (item, file) => approvals.some((one) => one.whyNot(item) === null && one.covers(item, file)),
    // an earlier approval without checks must not permit that they disappear
    approves: (kind) => latest.approves?.(kind) ?? false,
  };
}

export function contentTrust(
  { items, files }: TrustedContent,
  compare: (file: TrustedFile) => FileChange | null,
): FolderTrust {
  const approved = new Map(items.map((item) => [item.digest, item]));
  const ids = new Set(items.map(({ kind, id }) => `${kind} ${id}`));
  return {
    level: 'content',
    whyNot: ({ kind, id, digest }) => {
      const known = approved.get(digest);
      if (known === undefined) return ids.has(`${kind} ${id}`) ? CHANGED : ADDED;
      for (const key of known.files) {
        const file = files[key];
        const change = file === undefined ? 'edited' : compare(file);
        if (change !== null) return `${CHANGED} (${file?.path ?? key}: ${change})`;
      }
      return null;
    },
    covers: ({ digest }, file) => approved.get(digest)?.files.includes(file) ?? false,
    approves: (kind) => items.some((item) => item.kind === kind),
  };
}
