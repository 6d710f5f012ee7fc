import path from 'node:path';
import { type AgentDefinition, type LoadedAgents, loadAgents, NO_AGENTS } from '../../session/agents/loadAgents.ts';
import { claudeConfigDir } from '../../session/settings/settingsFiles.ts';
import { type FolderTrust, TRUSTED } from '../../session/trust/folderTrust.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { jsonFromFlag } from './flagJson.ts';
import type { PromptFlags } from './promptFlags.ts';

/** The agents of files and of `--agents`, which take precedence; with `--bare` only those of the flag. */
export async function gatherAgents(
  flags: Pick<PromptFlags, 'agents' | 'bare'>,
  places: Pick<World, 'cwd' | 'homeDir' | 'env'>,
  trust: FolderTrust,
): Promise<LoadedAgents> {
  const files = flags.bare ? NO_AGENTS : await agentFiles(places, trust);
  if (flags.agents === undefined) return files;
  const own = await agentsFromFlag(flags.agents, places.cwd);
  const kept = files.agents.filter(({ name }) => !own.some((agent) => agent.name === name));
  return { ...files, agents: [...kept, ...own] };
}

/** The agents of the user's and the project's files; the project's take precedence. */
export function agentFiles(places: Pick<World, 'cwd' | 'homeDir' | 'env'>, trust: FolderTrust): Promise<LoadedAgents> {
  const { user, project } = agentFolders(places, trust);
  return loadAgents([user, project]);
}

export function agentFolders({ cwd, homeDir, env }: Pick<World, 'cwd' | 'homeDir' | 'env'>, trust: FolderTrust) {
  const user = path.join(claudeConfigDir({ homeDir, env }), 'agents');
  return {
    user: { folder: user, source: 'user', trust: TRUSTED },
    project: { folder: path.join(cwd, '.claude', 'agents'), source: 'project', trust },
  } as const;
}

/** The agents of `--agents`: a JSON object or the path of a file with one. */
async function agentsFromFlag(value: string, cwd: string): Promise<readonly AgentDefinition[]> {
  if (value.trim() === '') return [];
  const { flagAgents } = await import('../../schemas/flagAgents.ts');
  const { place, json } = await jsonFromFlag('--agents', value, cwd);
  const parsed = flagAgents.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const keys = issue?.code === 'unrecognized_keys' ? ` ${issue.keys.join(', ')}` : '';
    const at = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    const why = keys ? `unknown field${keys}` : issue?.message;
    throw new UserError(`${place}: ${at}${why}. Use {"NAME": {"description": "…", "prompt": "…"}}.`);
  }
  return Object.entries(parsed.data).map(
    ([name, { description, prompt, tools, disallowedTools, model, maxTurns }]) => ({
      name,
      description,
      prompt,
      ...(tools && !tools.includes('*') ? { tools } : {}),
      ...(disallowedTools ? { disallowedTools } : {}),
      ...(model && model !== 'inherit' ? { model } : {}),
      ...(maxTurns === undefined ? {} : { maxTurns }),
    }),
  );
}
