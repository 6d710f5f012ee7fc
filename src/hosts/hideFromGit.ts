import path from 'node:path';
import type { Git } from '../git/git.ts';
import { withSettings } from '../git/hardening.ts';
import { writePrivateFile } from '../system/atomicFile.ts';
import { readTextFile } from '../system/readTextFile.ts';

export interface Hiding {
  readonly git: Git;
  readonly folder: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The list of ignored files while the agent runs. */
  readonly excludesFile: string;
  /** The settings files that hold our entries, below the project. */
  readonly held: readonly string[];
}

export interface Hidden {
  readonly env: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

const LARGEST_BYTES = 1_000_000;

/**
 * An environment in which git ignores the settings files that we changed, so that they are not in a landing agent's commit of everything: for the agent and for snapshots. The person's own
 * list of ignored files still applies; the repository is not changed.
 */
export async function hideFromGit({ git, folder, homeDir, env, excludesFile, held }: Hiding): Promise<Hidden> {
  const ownFile = await globalExcludes({ git, folder, homeDir, env });
  const own = await readTextFile(ownFile, LARGEST_BYTES);
  const text = own.type === 'read' && !own.cut ? own.text : '';
  await writePrivateFile(excludesFile, `${text}\n${held.map((file) => `**/${file}\n`).join('')}`);
  const why =
    own.type === 'unreadable' ? own.message : own.type === 'read' && own.cut ? 'it is larger than 1 MB' : null;
  const notes = why === null ? [] : [`${ownFile} was not read for ignored files: ${why}`];
  return { env: withSettings(env, { 'core.excludesFile': excludesFile }), notes };
}

async function globalExcludes({ git, folder, homeDir, env }: Omit<Hiding, 'excludesFile' | 'held'>): Promise<string> {
  const set = await git.run({ folder, args: ['config', '--type=path', '--get', 'core.excludesFile'] });
  if (set.type === 'done' && set.stdout.trim() !== '') return path.resolve(folder, set.stdout.trim());
  return path.join(env.XDG_CONFIG_HOME || path.join(homeDir, '.config'), 'git', 'ignore');
}

/** A tracked file cannot be hidden from git. */
export async function trackedNote(git: Git, folder: string, held: readonly string[]): Promise<readonly string[]> {
  const found = await git.run({ folder, args: ['ls-files', '--', ...held] });
  if (found.type !== 'done') return [];
  const tracked = found.stdout.split('\n').filter((name) => name !== '');
  return tracked.map((name) => `${name} is tracked by git: a commit of everything would include the hooks of Stopgate`);
}
