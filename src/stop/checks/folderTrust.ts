import { existsSync } from 'node:fs';
import path from 'node:path';
import { approvedTrust, type FolderTrust, isTrustedAtAll, TRUSTED } from '../../session/trust/folderTrust.ts';
import { trustItem } from '../../session/trust/trustItem.ts';
import { trustStore } from '../../session/trust/trustStore.ts';
import { type Clock, systemClock, wallNow } from '../../system/clock.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { realPath } from '../../system/realPath.ts';
import { shellWord } from '../../system/shellWords.ts';
import type { SkipCode } from '../ending.ts';
import type { ReadConfig } from './readConfig.ts';
import type { Check, DefinitionOfDone } from './types.ts';

export interface TrustPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
  readonly clock?: Clock;
}

/**
 * What a folder's own files may do: everything in this run by a variable, else what a person approved by `stopgate trust`. In
 * a worktree that Stopgate created, what was approved in its repository.
 */
export function trustOf(folder: string, { env, stopgateHome, clock = systemClock }: TrustPlace): FolderTrust {
  if (env.STOPGATE_TRUST_PROJECT === '1') return TRUSTED;
  const store = trustStore(stopgateHome);
  // a host may name the folder by a link; the record has the real path
  const real = realPath(folder);
  const approvedIn = (recorded: string) =>
    approvedTrust({ store, recorded, folder: real, clock: () => wallNow(clock) });
  const own = approvedIn(real);
  if (own.level !== 'none') return own;
  const origin = repositoryOfWorktree(folder, stopgateHome);
  return origin === null ? own : approvedIn(origin);
}

/** Whether the folder is trusted at all, whatever changed in it since. */
export const isFolderTrusted = (folder: string, place: TrustPlace): boolean => isTrustedAtAll(trustOf(folder, place));

/** Why checks may not run. */
export interface Untrusted {
  readonly code: Extract<SkipCode, 'notTrusted' | 'changedSinceTrusted'>;
  /** A clause with the fix. */
  readonly reason: string;
}

/** The same folder in the repository that Stopgate created a worktree of; null for a folder that is in none. */
export function repositoryOfWorktree(folder: string, stopgateHome: string): string | null {
  const worktrees = path.join(stopgateHome, 'worktrees');
  return repositoryOf(folder, worktrees) ?? repositoryOf(realPath(folder), realPath(worktrees));
}

/**
 * Null when the checks of a definition may run: for our own agent, hooks, `launch`, workers and `status` alike. Trust belongs
 * to the folder of the configuration, since its commands would run. One change stops all of them: a pass of the others would
 * look like a pass.
 */
export function whyChecksUntrusted(done: DefinitionOfDone, place: TrustPlace): Untrusted | null {
  const folder = path.dirname(done.file);
  const trust = trustOf(folder, place);
  // all of it first: which check differs says less than that the configuration does
  for (const item of checkItems(done).toReversed()) {
    const why = trust.whyNot(item);
    if (why !== null) return untrusted(trust, why, reviewedAt(folder, place));
  }
  return null;
}

/** For a session that began with approved checks, which are frozen: only trust that was revoked stops them. */
export function whyFrozenUntrusted(folder: string, place: TrustPlace): Untrusted | null {
  const trust = trustOf(folder, place);
  return isTrustedAtAll(trust) ? null : untrusted(trust, '', reviewedAt(folder, place));
}

/** Where a person decides: a worktree of ours goes with its attempt, and its repository counts for the next ones, too. */
const reviewedAt = (folder: string, { stopgateHome }: TrustPlace): string =>
  repositoryOfWorktree(folder, stopgateHome) ?? folder;

function untrusted({ level }: FolderTrust, why: string, folder: string): Untrusted {
  const review = `review them, then run \`stopgate trust ${shellWord(folder)}\``;
  if (level === 'content') return { code: 'changedSinceTrusted', reason: why };
  const old = 'the folder was trusted before Stopgate recorded what was approved';
  return { code: 'notTrusted', reason: `${level === 'path' ? old : 'the folder is not trusted'}; ${review}` };
}

/** What of a definition of done needs approval: each check, and all of it together, so that none can be left out. */
export function checkItems({ file, checks, protect, editable, stallAfter, maxBlocks, judge }: DefinitionOfDone) {
  const folder = path.dirname(file);
  const own = checks.map((check) => checkItem(check, folder));
  const rest = {
    checks: own.map(({ digest }) => digest),
    protect,
    editable,
    stallAfter,
    maxBlocks,
    ...(judge && { judge }),
  };
  return [...own, trustItem('definition', path.basename(file), rest)];
}

/** Every field counts, also one that is added later; paths from the folder, which can be a worktree. */
function checkItem(check: Check, folder: string) {
  const { file, args, cwd, inputs, commandText: _text, folder: _folder, ...others } = check;
  const inside = (one: string) => path.relative(folder, one);
  const value = { ...others, command: [file, ...args], cwd: inside(cwd), inputs: inputs.map(inside) };
  return trustItem('check', check.name, value);
}

/** Why the definition of done that applies to a folder may not run: it changed since it was approved, or it is gone. */
export function whyDefinitionUntrusted(config: ReadConfig, folder: string, place: TrustPlace): Untrusted | null {
  if (config.type === 'config') return whyChecksUntrusted(config.done, place);
  if (config.type === 'broken') return null;
  for (let at = realPath(folder); ; at = path.dirname(at)) {
    if (trustOf(at, place).approves?.('definition')) {
      const fix = `restore it, or run \`stopgate trust ${shellWord(at)}\``;
      const reason = `the checks that you approved for ${at} are gone (stopgate.config.json was deleted or has none); ${fix}`;
      return { code: 'changedSinceTrusted', reason };
    }
    if (path.dirname(at) === at || existsSync(path.join(at, '.git'))) return null;
  }
}

const LONGEST_POINTER = 8_192;

/** The same folder in the repository of one of our worktrees; null for any other folder. */
function repositoryOf(folder: string, worktrees: string): string | null {
  const inside = path.relative(worktrees, folder);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return null;
  const [name = '', ...inner] = inside.split(path.sep);
  // an agent works there, so the file may be anything
  const pointer = readTextFileSync(path.join(worktrees, name, '.git'), LONGEST_POINTER);
  const text = pointer.type === 'read' ? pointer.text : '';
  const [, repository] = /^gitdir: (.+)\/\.git\/worktrees\/[^/\n]+\n?$/.exec(text) ?? [];
  return repository === undefined ? null : path.join(repository, ...inner);
}
