import type { Teammate } from '../../query/toolUseContext.ts';
import { terminalText } from '../../system/terminalText.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { type TeamTasks, teamTasks } from '../../team/teamTasks.ts';
import type { PromptFlags } from './promptFlags.ts';
import { chooseStorePlace } from './store/storePlace.ts';

/** The team and name of this agent, from flags or environment. */
export function teammateOf(flags: Pick<PromptFlags, 'team' | 'name'>, env: World['env']): Teammate | undefined {
  const team = flags.team ?? env.STOPGATE_TEAM;
  const name = flags.name ?? env.STOPGATE_TEAMMATE_NAME;
  if (!team || !name) return undefined;
  if (/^[\w.-]{1,64}$/.test(team) && !team.startsWith('.')) return { team, name };
  throw new UserError(`'${team}' is not a valid team name; use letters, digits, - and _.`);
}

/** The shared list of a teammate, in the store that flag or environment choose. */
export function openTeamTasks(
  flags: Pick<PromptFlags, 'store'>,
  { env, stopgateHome, cwd }: World,
  { teammate, history }: { readonly teammate: Teammate | undefined; readonly history: { readonly sessionId: string } },
): TeamTasks | undefined {
  if (!teammate) return undefined;
  return teamTasks({
    ...teammate,
    sessionId: history.sessionId,
    place: chooseStorePlace({ flag: flags.store, env, stopgateHome, cwd }),
    warn: (sentence) => process.stderr.write(terminalText(`stopgate: ${sentence}\n`)),
  });
}
