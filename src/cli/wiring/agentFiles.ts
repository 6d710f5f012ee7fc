import path from 'node:path';
import { type LoadedAgents, loadAgents, NO_AGENTS } from '../../session/agents/loadAgents.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

/** The agents of files, and those of `--agents`, which hold over them; `--bare` leaves only the flag's. */
export async function gatherAgents(
  flags: Pick<PromptFlags, 'agents' | 'bare'>,
  places: Pick<World, 'cwd' | 'homeDir' | 'env'>,
  trusted: boolean,
): Promise<LoadedAgents> {
  const files = flags.bare ? NO_AGENTS : await agentFiles(places, trusted);
  if (flags.agents === undefined) return files;
  const { agentsFromFlag } = await import('./flagAgents.ts');
  const own = await agentsFromFlag(flags.agents, places.cwd);
  const kept = files.agents.filter(({ name }) => !own.some((agent) => agent.name === name));
  return { ...files, agents: [...kept, ...own] };
}

/** The agents that the person's and the project's files define; the project's hold over the person's. */
export function agentFiles(
  { cwd, homeDir, env }: Pick<World, 'cwd' | 'homeDir' | 'env'>,
  trusted: boolean,
): Promise<LoadedAgents> {
  return loadAgents([
    { folder: path.join(claudeConfigDir({ homeDir, env }), 'agents'), source: 'user', trusted: true },
    { folder: path.join(cwd, '.claude', 'agents'), source: 'project', trusted },
  ]);
}
