import { lstatSync, mkdirSync, statSync } from 'node:fs';

/** Facts that decide who can put files into a folder. */
export interface FolderFacts {
  readonly isFolder: boolean;
  readonly isLink: boolean;
  readonly uid: number;
  readonly mode: number;
}

export interface FolderDemand {
  /** Of this process; undefined where the system has no user ids. */
  readonly uid: number | undefined;
  /** What users other than its owner may do there. */
  readonly others: 'mayRead' | 'mayNothing';
  /** Whether the folder may be a link. */
  readonly links: 'followed' | 'refused';
}

const OTHERS_WRITE = 0o022;
const OTHERS_ANYTHING = 0o077;

/** Why another user may have put files into a folder; null when only this user can have done so. */
export function whyNotOwn(facts: FolderFacts, { uid, others, links }: FolderDemand): string | null {
  if (facts.isLink && links === 'refused') return 'is a link';
  if (!facts.isFolder) return 'is not a folder';
  if (uid === undefined) return null;
  if (facts.uid !== uid) return `belongs to another user (uid ${facts.uid})`;
  const open = facts.mode & (others === 'mayRead' ? OTHERS_WRITE : OTHERS_ANYTHING);
  if (open === 0) return null;
  const how = facts.mode & OTHERS_WRITE ? 'written' : 'read';
  return `can be ${how} by other users (mode ${(facts.mode & 0o777).toString(8)})`;
}

/** Of a folder or a link to it; undefined when there is none. */
export function folderFacts(folder: string): FolderFacts | undefined {
  const self = lstatSync(folder, { throwIfNoEntry: false });
  if (self === undefined) return undefined;
  const isLink = self.isSymbolicLink();
  const target = isLink ? statSync(folder, { throwIfNoEntry: false }) : self;
  // another user can change where their link leads
  const uid = self.uid === ownUid() && target !== undefined ? target.uid : self.uid;
  return { isFolder: target?.isDirectory() ?? false, isLink, uid, mode: target?.mode ?? 0 };
}

/** Creates it for this user alone if it is missing; returns why it cannot be trusted, or null. */
export function makeOwnFolder(folder: string, demand: Omit<FolderDemand, 'uid'>): string | null {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') return `cannot be created (${code ?? String(error)})`;
  }
  return whyFolderNotOwn(folder, demand);
}

/** The same for a folder that must exist. */
export function whyFolderNotOwn(folder: string, demand: Omit<FolderDemand, 'uid'>): string | null {
  const facts = folderFacts(folder);
  if (facts === undefined) return 'does not exist';
  return whyNotOwn(facts, { ...demand, uid: ownUid() });
}

export const ownUid = (): number | undefined => process.geteuid?.();
