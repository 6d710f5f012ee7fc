import path from 'node:path';
import { flagAgents } from '../../schemas/flagAgents.ts';
import type { AgentDefinition } from '../../session/agents/loadAgents.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';

const MAX_BYTES = 1024 * 1024;

/** The agents that `--agents` defines, as a JSON object or the path of a file that holds one. */
export async function agentsFromFlag(value: string, cwd: string): Promise<readonly AgentDefinition[]> {
  if (value.trim() === '') return [];
  const isObject = value.trimStart().startsWith('{');
  const place = isObject ? '--agents' : `--agents ${value}`;
  const parsed = flagAgents.safeParse(parseJson(isObject ? value : await readFile(value, cwd), place));
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

async function readFile(file: string, cwd: string): Promise<string> {
  const read = await readTextFile(path.resolve(cwd, file), MAX_BYTES);
  if (read.type === 'read' && !read.cut) return read.text;
  const why = read.type === 'read' ? 'is larger than 1 MB' : 'cannot be read';
  throw new UserError(`--agents: the file ${file} ${why}; give a JSON object or the path of a file that holds one.`);
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${place} is not valid JSON: ${(error as Error).message}.`);
  }
}
