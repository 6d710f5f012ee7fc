import path from 'node:path';
import type { Teammate } from '../../query/teammate.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';

/** Who this agent is in a team: by flags, or by the environment of whoever started it. */
export function teammateOf(flags: Pick<PromptFlags, 'team' | 'name'>, env: World['env']): Teammate | undefined {
  const team = flags.team ?? env.STOPGATE_TEAM;
  const name = flags.name ?? env.STOPGATE_TEAMMATE_NAME;
  if (!team || !name) return undefined;
  if (/^[\w.-]{1,64}$/.test(team) && !team.startsWith('.')) return { team, name };
  throw new UserError(`'${team}' cannot be a team's name; use letters, digits, - and _.`);
}

/** Where a team keeps its tasks. */
export const teamTasksDir = (stopgateHome: string, { team }: Teammate): string =>
  path.join(stopgateHome, 'teams', team, 'tasks');
