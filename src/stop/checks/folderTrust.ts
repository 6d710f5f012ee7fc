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
 * Whether a folder's own commands may run: for this run by a variable, permanently by `stopgate trust`. A worktree that
 * Stopgate created is trusted like its repository.
 */
export async function isFolderTrusted(folder: string, { env, stopgateHome }: TrustPlace): Promise<boolean> {
  if (env.STOPGATE_TRUST_PROJECT === '1') return true;
  const store = trustStore(stopgateHome);
  // a host may name the folder by a link; the record has the real path
  const real = await realpath(folder).catch(() => folder);
  if (await store.isTrusted(real)) return true;
  const origin = await repositoryOfWorktree(folder, stopgateHome);
  return origin !== null && store.isTrusted(origin);
}

/** The same folder in the repository that Stopgate created a worktree of; null for a folder that is in none. */
export async function repositoryOfWorktree(folder: string, stopgateHome: string): Promise<string | null> {
  const worktrees = path.join(stopgateHome, 'worktrees');
  const real = await realpath(folder).catch(() => folder);
  return repositoryOf(folder, worktrees) ?? repositoryOf(real, await realpath(worktrees).catch(() => worktrees));
}

/**
 * Whether the checks of a folder may run, for our own agent, hooks, `launch`, workers and `status` alike. Trust belongs to the
 * folder of the configuration, since its commands would run.
 */
export function areChecksTrusted(folder: string, place: TrustPlace): Promise<boolean> {
  const file = findConfig(folder);
  return isFolderTrusted(file === null ? folder : path.dirname(file), place);
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
