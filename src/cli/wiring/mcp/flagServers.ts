import { mcpFile } from '../../../schemas/mcpServers.ts';
import { UserError } from '../../../system/userError.ts';
import { jsonFromFlag } from '../flagJson.ts';

export interface FlagServers {
  readonly place: string;
  readonly servers: Readonly<Record<string, unknown>>;
}

/** One value of `--mcp-config`: a JSON object or the path of a file that holds one. What cannot be read ends the run. */
export async function serversFromFlag(value: string, cwd: string): Promise<FlagServers> {
  const { place, json } = await jsonFromFlag('--mcp-config', value, cwd);
  const parsed = mcpFile.safeParse(json);
  if (parsed.success) return { place, servers: parsed.data.mcpServers };
  throw new UserError(`${place} has no "mcpServers" object; write {"mcpServers": {"NAME": {"command": "…"}}}.`);
}
