import path from 'node:path';
import type { Git } from '../../git/git.ts';
import { withSettings } from '../../git/hardening.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { readTextFile } from '../../system/readTextFile.ts';

export interface Hiding {
  readonly git: Git;
  readonly folder: string;
  readonly homeDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Where the list is kept while the agent runs. */
  readonly excludesFile: string;
}

export interface Hidden {
  readonly env: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

const LARGEST_BYTES = 1_000_000;

/** What we put into a settings file must not be in a commit of "everything", which is what a landing agent makes. */
const HELD = '**/.claude/settings.local.json';

/**
 * An environment in which git does not see the settings file that we hold, for the agent and for snapshots meanwhile. The
 * person's own list of ignored files is kept; nothing is written into the repository.
 */
export async function hideFromGit({ git, folder, homeDir, env, excludesFile }: Hiding): Promise<Hidden> {
  const ownFile = await globalExcludes({ git, folder, homeDir, env });
  const own = await readTextFile(ownFile, LARGEST_BYTES);
  const text = own.type === 'read' && !own.cut ? own.text : '';
  await writeFileAtomically(excludesFile, `${text}\n${HELD}\n`, { mode: 0o600 });
  const why =
    own.type === 'unreadable' ? own.message : own.type === 'read' && own.cut ? 'it is larger than 1 MB' : null;
  const notes = why === null ? [] : [`${ownFile} is not read for ignored files: ${why}`];
  return { env: withSettings(env, { 'core.excludesFile': excludesFile }), notes };
}

async function globalExcludes({ git, folder, homeDir, env }: Omit<Hiding, 'excludesFile'>): Promise<string> {
  const set = await git.run({ folder, args: ['config', '--type=path', '--get', 'core.excludesFile'] });
  if (set.type === 'done' && set.stdout.trim() !== '') return path.resolve(folder, set.stdout.trim());
  return path.join(env.XDG_CONFIG_HOME || path.join(homeDir, '.config'), 'git', 'ignore');
}

/** A file that git tracks cannot be hidden from it; worth a sentence. */
export async function trackedNote(git: Git, folder: string): Promise<readonly string[]> {
  const found = await git.run({ folder, args: ['ls-files', '--', '.claude/settings.local.json'] });
  if (found.type !== 'done' || found.stdout.trim() === '') return [];
  return ['.claude/settings.local.json is tracked by git: a commit of everything would take our hooks along'];
}
