import path from 'node:path';
import { mcpFile } from '../../../schemas/mcpServers.ts';
import { readTextFile } from '../../../system/readTextFile.ts';
import { UserError } from '../../../system/userError.ts';

const MAX_BYTES = 1_000_000;

export interface FlagServers {
  readonly place: string;
  readonly servers: Readonly<Record<string, unknown>>;
}

/** One value of `--mcp-config`: a JSON object or the path of a file that holds one. What cannot be read ends the run. */
export async function serversFromFlag(value: string, cwd: string): Promise<FlagServers> {
  const isObject = value.trimStart().startsWith('{');
  const place = isObject ? '--mcp-config' : `--mcp-config ${value}`;
  const parsed = mcpFile.safeParse(parseJson(isObject ? value : await readFile(value, cwd), place));
  if (parsed.success) return { place, servers: parsed.data.mcpServers };
  throw new UserError(`${place} has no "mcpServers" object; write {"mcpServers": {"NAME": {"command": "…"}}}.`);
}

async function readFile(file: string, cwd: string): Promise<string> {
  const read = await readTextFile(path.resolve(cwd, file), MAX_BYTES);
  if (read.type === 'read' && !read.cut) return read.text;
  const why = read.type === 'read' ? 'is larger than 1 MB' : 'cannot be read';
  throw new UserError(
    `--mcp-config: the file ${file} ${why}; give a JSON object or the path of a file that holds one.`,
  );
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${place} is not valid JSON: ${(error as Error).message}.`);
  }
}
