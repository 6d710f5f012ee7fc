import { realpath } from 'node:fs/promises';
import path from 'node:path';
import {
  environmentDigest,
  type SurroundingsDigest,
  surroundingsDigest,
} from '../../gates/checks/checkSurroundings.ts';
import { type ChecksMemory, checksMemory, gatesFolder } from '../../gates/checks/memory.ts';
import { readConfigFile } from '../../gates/checks/readConfig.ts';
import type { DefinitionOfDone } from '../../gates/checks/types.ts';
import { errorEnding, type GateEnding, notArmedEnding, skippedEnding } from '../../gates/gateEnding.ts';
import type { Payload } from '../../hosts/callers.ts';
import { sessionIdOf } from '../../hosts/stopSituation.ts';
import { openGit } from '../../system/git/git.ts';
import { treeDigest } from '../../system/git/treeDigest.ts';
import { childEnvironment } from '../wiring/childEnvironment.ts';
import { areChecksTrusted } from './folderTrust.ts';
import type { GateWorld } from './gateWorld.ts';

export type OpenedChecks =
  | { readonly type: 'none'; readonly notes: readonly string[]; readonly ending: GateEnding }
  | {
      readonly type: 'checks';
      readonly done: DefinitionOfDone;
      readonly memory: ChecksMemory;
      readonly digest: () => Promise<SurroundingsDigest>;
      /** One for all sessions that come to the folder, by whatever path. */
      readonly lockFile: string;
      /** By which what the checks of the folder start is found again. */
      readonly mark: string;
    };

/** With what runs commands. */
type ChecksWorld = GateWorld & Required<Pick<GateWorld, 'processes'>>;

/** The definition of done in a file, if it may be run. */
export async function openChecks(file: string, payload: Payload, world: ChecksWorld): Promise<OpenedChecks> {
  const config = await readConfigFile(file);
  if (config.type === 'none') return { type: 'none', notes: [], ending: notArmedEnding(`${file} has no checks`) };
  if (config.type === 'broken') {
    return { type: 'none', notes: [`Stopgate: ${config.message}`], ending: errorEnding(config.message) };
  }
  const { done } = config;
  const folder = path.dirname(done.file);
  if (!(world.trusted || (await areChecksTrusted(folder, world)))) {
    return { type: 'none', notes: [notTrusted(done.file, folder)], ending: skippedEnding('notTrusted') };
  }
  const sessionId = sessionIdOf(payload) ?? '';
  const env = childEnvironment(world.env, {});
  const environment = environmentDigest(env);
  const memory = checksMemory({ stopgateHome: world.stopgateHome, folder, sessionId, environment });
  const place = gatesFolder(world.stopgateHome, await realpath(folder));
  const lockFile = path.join(place, 'checks.lock');
  const mark = path.basename(place);
  return { type: 'checks', done, memory, digest: () => digestOf(done, env, world), lockFile, mark };
}

function notTrusted(file: string, folder: string): string {
  const how = `look at it, then run \`stopgate trust ${folder}\``;
  return `Stopgate: the checks of ${file} were not run: the folder is not trusted; ${how}.`;
}

/** Of the files in the repository and of those that the checks name elsewhere. */
async function digestOf(
  { file, checks }: DefinitionOfDone,
  checkEnv: Readonly<Record<string, string>>,
  { processes, env, stopgateHome }: ChecksWorld,
): Promise<SurroundingsDigest> {
  const [tree, around] = await Promise.all([
    treeDigest(openGit({ processes, env }), {
      folder: path.dirname(file),
      mirrors: path.join(stopgateHome, 'mirrors'),
    }),
    surroundingsDigest(checks, checkEnv),
  ]);
  if (tree.type === 'failed') return tree;
  return around.type === 'failed' ? around : { type: 'digest', digest: `${tree.digest}-${around.digest}` };
}
