import { flagAgents } from '../../schemas/flagAgents.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { UserError } from '../../system/userError.ts';
import { jsonFromFlag } from './flagJson.ts';

/** The agents that `--agents` defines, as a JSON object or the path of a file that holds one. */
export async function agentsFromFlag(value: string, cwd: string): Promise<readonly AgentDefinition[]> {
  if (value.trim() === '') return [];
  const { place, json } = await jsonFromFlag('--agents', value, cwd);
  const parsed = flagAgents.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const keys = issue?.code === 'unrecognized_keys' ? ` ${issue.keys.join(', ')}` : '';
    const at = issue?.path.length ? `${issue.path.join('.')}: ` : '';
    const why = keys ? `Stopgate does not know the field${keys}` : issue?.message;
    throw new UserError(`${place}: ${at}${why}. Write {"NAME": {"description": "…", "prompt": "…"}}.`);
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
