import path from 'node:path';
import { openGit } from '../../../git/git.ts';
import type { World } from '../../../system/world.ts';
import type { SettingsScope } from './settingsScope.ts';

/** What the settings file would do in git: it holds paths that only this machine has. */
export async function gitWarnings(scope: SettingsScope, file: string, world: World): Promise<readonly string[]> {
  if (scope === 'user') return [];
  const name = path.relative(world.cwd, file);
  if (scope === 'project') {
    return [
      `${name} is for everybody who works here, and the commands in it have this machine's paths: others would get hooks that fail. Keep it out of commits, or use --scope local.`,
    ];
  }
  const git = openGit({ processes: world.processes, env: world.env, timeoutMs: 2_000 });
  const asked = await git.run({ folder: world.cwd, args: ['check-ignore', '-q', '--', file] });
  // 1: a repository that does not ignore it; anything else: ignored, no repository, no git
  if (asked.type === 'done' || asked.exitCode !== 1) return [];
  return [
    `git does not ignore ${name}, which has this machine's paths; before you commit: echo '${name}' >> "$(git rev-parse --git-path info/exclude)"`,
  ];
}
