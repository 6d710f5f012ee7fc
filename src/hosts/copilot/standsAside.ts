import path from 'node:path';
import type { StandingAside } from '../host.ts';
import { FROM } from './entrySource.ts';
import { projectHolds, userHolds } from './heldEntry.ts';

/*
 * Copilot CLI also runs the hooks of .claude/settings.json and .claude/settings.local.json, in a folder that it trusts. An event
 * may so reach entries of several of our files, and a stop that is counted twice stalls too early. One of them answers.
 */

/** For the hooks of a launch: it has added all entries that its agent needs. */
export const COPILOT_LAUNCH = 'STOPGATE_COPILOT_LAUNCH';

export const HOOKS_NAME = path.join('hooks', 'stopgate.json');

type Places = Pick<StandingAside, 'env'>['env'];

export const copilotHome = (env: Places): string => env.COPILOT_HOME || path.join(env.HOME ?? '', '.copilot');

export function standsAside(event: string, { payload, env, argv }: StandingAside): boolean {
  const own = argv[argv.indexOf(FROM) + 1];
  const source = argv.includes(FROM) ? own : undefined;
  if (source === 'user') return false;
  if (userHolds(path.join(copilotHome(env), HOOKS_NAME), event)) return true;
  if (source === 'launch') return false;
  if (env[COPILOT_LAUNCH] === '1') return true;
  if (source === 'project') return false;
  const folder = env.COPILOT_PROJECT_DIR || String(payload.cwd ?? '');
  return projectHolds(path.join(folder, '.github', HOOKS_NAME), event);
}
