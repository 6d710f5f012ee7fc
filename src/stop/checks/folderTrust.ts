import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { trustStore } from '../../session/trust/trustStore.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { findConfig } from './findConfig.ts';

export interface TrustPlace {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stopgateHome: string;
}

/**
 * Whether a folder's own commands may run: for this run by a variable, for good by `stopgate trust`. A worktree that Stopgate made
 * holds what its repository holds, so that repository's answer counts for it.
 */
export async function isFolderTrusted(folder: string, { env, stopgateHome }: TrustPlace): Promise<boolean> {
  if (env.STOPGATE_TRUST_PROJECT === '1') return true;
  const store = trustStore(stopgateHome);
  // a host may name the folder by a link; what is recorded is the folder itself
  const real = await realpath(folder).catch(() => folder);
  if (await store.isTrusted(real)) return true;
  const worktrees = path.join(stopgateHome, 'worktrees');
  const origin =
    repositoryOf(folder, worktrees) ?? repositoryOf(real, await realpath(worktrees).catch(() => worktrees));
  return origin !== null && store.isTrusted(origin);
}

/**
 * Whether the checks that hold for a folder may run. Everybody asks here: our own agent, hooks, `launch`, workers, `status`.
 * What counts is the folder that holds the configuration, since its commands are what would run.
 */
export function areChecksTrusted(folder: string, place: TrustPlace): Promise<boolean> {
  const file = findConfig(folder);
  return isFolderTrusted(file === null ? folder : path.dirname(file), place);
}

const LONGEST_POINTER = 8_192;

/** The same folder in the repository that one of our worktrees belongs to; null for any other folder. */
function repositoryOf(folder: string, worktrees: string): string | null {
  const inside = path.relative(worktrees, folder);
  if (inside === '' || inside.startsWith('..') || path.isAbsolute(inside)) return null;
  const [name = '', ...rest] = inside.split(path.sep);
  // an agent works there, so the file may be anything
  const pointer = readTextFileSync(path.join(worktrees, name, '.git'), LONGEST_POINTER);
  const text = pointer.type === 'read' ? pointer.text : '';
  const [, repository] = /^gitdir: (.+)\/\.git\/worktrees\/[^/\n]+\n?$/.exec(text) ?? [];
  return repository === undefined ? null : path.join(repository, ...rest);
}
