import path from 'node:path';
import { type ChecksMemory, checksMemory } from '../../gates/checks/memory.ts';
import { readConfigFile } from '../../gates/checks/readConfig.ts';
import type { DefinitionOfDone } from '../../gates/checks/types.ts';
import type { Payload } from '../../hosts/callers.ts';
import { sessionIdOf } from '../../hosts/stopSituation.ts';
import { trustStore } from '../../session/trust/trustStore.ts';
import { openGit } from '../../system/git/git.ts';
import { treeDigest } from '../../system/git/treeDigest.ts';
import type { GateWorld } from './gateWorld.ts';

export type OpenedChecks =
  | { readonly type: 'none'; readonly notes: readonly string[] }
  | {
      readonly type: 'checks';
      readonly done: DefinitionOfDone;
      readonly memory: ChecksMemory;
      readonly digest: () => Promise<string | null>;
    };

/** With what runs commands. */
type ChecksWorld = GateWorld & Required<Pick<GateWorld, 'processes'>>;

/** The definition of done in a file, if it may be run. */
export async function openChecks(file: string, payload: Payload, world: ChecksWorld): Promise<OpenedChecks> {
  const config = await readConfigFile(file);
  if (config.type === 'none') return { type: 'none', notes: [] };
  if (config.type === 'broken') return { type: 'none', notes: [`Stopgate: ${config.message}`] };
  const { done } = config;
  const folder = path.dirname(done.file);
  if (!(await isTrusted(folder, world))) return { type: 'none', notes: [notTrusted(done.file, folder)] };
  const sessionId = sessionIdOf(payload) ?? '';
  const memory = checksMemory({ stopgateHome: world.stopgateHome, folder, sessionId });
  return { type: 'checks', done, memory, digest: () => digestOf(folder, world) };
}

function notTrusted(file: string, folder: string): string {
  const how = `look at it, then run \`stopgate trust ${folder}\``;
  return `Stopgate: the checks of ${file} were not run: the folder is not trusted; ${how}.`;
}

async function digestOf(folder: string, { processes, env }: ChecksWorld): Promise<string | null> {
  const found = await treeDigest(openGit({ processes, env }), { folder });
  return found.type === 'digest' ? found.digest : null;
}

async function isTrusted(folder: string, { env, stopgateHome, trusted }: GateWorld): Promise<boolean> {
  return trusted || env.STOPGATE_TRUST_PROJECT === '1' || trustStore(stopgateHome).isTrusted(folder);
}
