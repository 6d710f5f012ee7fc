import { type Git, type GitOptions, openGit } from '../git/git.ts';
import type { World } from '../system/world.ts';
import { isFolderTrusted } from './checks/folderTrust.ts';

export interface WorldGitOptions extends Pick<GitOptions, 'signal' | 'timeoutMs'> {
  /** Trusted for this run by a flag. */
  readonly trustProject?: boolean;
  /** Replaces the world's. */
  readonly env?: GitOptions['env'];
}

/** Git for the current folder: filters that only its repository configures run where the user trusts the folder. */
export function worldGit(
  world: Pick<World, 'processes' | 'env' | 'cwd' | 'stopgateHome'>,
  { trustProject = false, env = world.env, ...more }: WorldGitOptions = {},
): Git {
  let trusted: boolean | undefined;
  const isTrusted = () => (trusted ??= trustProject || isFolderTrusted(world.cwd, world));
  const repositoryPrograms = async () => (isTrusted() ? 'run' : 'off');
  return openGit({ processes: world.processes, env, repositoryPrograms, ...more });
}
