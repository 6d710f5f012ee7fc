import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { folderDigest } from '../../git/folderDigest.ts';
import { type Git, openGit } from '../../git/git.ts';
import { treeDigest } from '../../git/treeDigest.ts';
import type { Reading } from '../../git/treeStates.ts';
import type { FoundWorkTree } from '../../git/workTree.ts';
import { isThere } from '../../system/isThere.ts';
import { childEnvironment } from '../childEnvironment.ts';
import { errorEnding, type GateEnding, LOST, notArmedEnding, skippedEnding } from '../ending.ts';
import type { Frozen } from '../frozen/frozen.ts';
import { readFrozen } from '../frozen/frozenFile.ts';
import { type FrozenGate, frozenGate } from '../frozen/frozenGate.ts';
import { treeState } from '../frozen/protectedFiles.ts';
import { beganArmed } from '../ledger.ts';
import { type Payload, sessionIdOf } from '../payload.ts';
import { readStart } from '../startFile.ts';
import type { GateWorld } from '../world.ts';
import { environmentDigest, outsideFolders, surroundingsDigest } from './checkSurroundings.ts';
import { whyChecksUntrusted, whyFrozenUntrusted } from './folderTrust.ts';
import { type ChecksMemory, checksMemory, gatesFolder } from './memory.ts';
import { parseConfig, readDefinition } from './readConfig.ts';
import { type CheckedState, type DefinitionOfDone, roughFiles } from './types.ts';

export type OpenedChecks =
  | { readonly type: 'none'; readonly notes: readonly string[]; readonly ending: GateEnding }
  | {
      readonly type: 'checks';
      readonly done: DefinitionOfDone;
      readonly memory: ChecksMemory;
      /** The state of the files now; `workTree` for a caller that has just looked for it. */
      readonly state: (workTree?: Promise<FoundWorkTree>) => Promise<CheckedState>;
      /** The same for all sessions in the folder, by whatever path. */
      readonly lockFile: string;
      /** Marks the processes that the folder's checks start. */
      readonly mark: string;
      /** Null when it is not known what the session began with. */
      readonly frozen: FrozenGate | null;
    };

type ChecksWorld = GateWorld & Required<Pick<GateWorld, 'processes'>>;

interface OpenOptions {
  /** What the session before this one began with. */
  readonly before?: Frozen | null;
  /** The session has begun: what it began with must be on record, if it was armed. */
  readonly atStop?: boolean;
}

/**
 * The definition of done in a file, if it may run: as it was when the session began, where that is known. That was approved
 * then: an agent that edits an approved script must not switch its own checks off.
 */
export async function openChecks(
  file: string,
  payload: Payload,
  { before = null, atStop = false, ...world }: ChecksWorld & OpenOptions,
): Promise<OpenedChecks> {
  const isGiven = typeof world.definition?.text === 'string';
  // a link into nothing is an error to report, not a missing file
  const now = isGiven || isThere(file) ? await readDefinition(file, world.definition) : ({ type: 'none' } as const);
  const frozen = (await readFrozen(world.stopgateHome, sessionIdOf(payload))) ?? before;
  const start = world.start ?? readStart(world.stopgateHome, sessionIdOf(payload));
  if (atStop && frozen === null) {
    const wasArmed = (start?.checks.length ?? 0) > 0 || beganArmed(world.stopgateHome, sessionIdOf(payload));
    if (wasArmed) return { type: 'none', notes: [`Stopgate: ${LOST}.`], ending: errorEnding(LOST) };
  }
  const config = frozen === null ? now : parseConfig(frozen.text, frozen.file);
  if (config.type === 'none') return { type: 'none', notes: [], ending: notArmedEnding(`${file} has no checks`) };
  if (config.type === 'broken') {
    return { type: 'none', notes: [`Stopgate: ${config.message}`], ending: errorEnding(config.message) };
  }
  const { done } = config;
  const folder = path.dirname(done.file);
  const untrusted = frozen === null ? whyChecksUntrusted(done, world) : whyFrozenUntrusted(folder, world);
  if (!world.trusted && untrusted !== null) {
    const note = `Stopgate: the checks of ${done.file} were not run: ${untrusted.reason}.`;
    return { type: 'none', notes: [note], ending: skippedEnding(untrusted.code) };
  }
  const sessionId = sessionIdOf(payload) ?? '';
  const env = childEnvironment(world.env, {});
  const environment = environmentDigest(env);
  const memory = checksMemory({ stopgateHome: world.stopgateHome, folder, sessionId, environment });
  const place = gatesFolder(world.stopgateHome, await realpath(folder));
  const lockFile = path.join(place, 'checks.lock');
  const mark = path.basename(place);
  const state = async (workTree?: Promise<FoundWorkTree>) => {
    const since = (await memory.session()).startCommit;
    return stateOf(done, { ...world, checkEnv: env, since, workTree });
  };
  const held = frozen === null ? null : frozenGate(frozen, now, world);
  return { type: 'checks', done, memory, state, lockFile, mark, frozen: held };
}

interface StateWorld extends ChecksWorld {
  readonly checkEnv: Readonly<Record<string, string>>;
  /** HEAD when the session began. */
  readonly since: string | null;
  readonly workTree: Promise<FoundWorkTree> | undefined;
}

/** The state of the repository, and of files outside it that the checks name. */
async function stateOf({ file, checks }: DefinitionOfDone, world: StateWorld): Promise<CheckedState> {
  const { processes, env, stopgateHome, checkEnv, since, workTree } = world;
  const git = openGit({ processes, env });
  const folder = path.dirname(file);
  const mirrors = path.join(stopgateHome, 'mirrors');
  let reading: Reading | undefined;
  const onReading = (begun: Reading) => {
    reading = begun;
  };
  const tree = await treeDigest(git, { folder, mirrors, since: since ?? undefined, workTree, onReading });
  const topLevel = tree.type === 'digest' ? tree.topLevel : await realpath(folder);
  const around = await surroundingsDigest(checks, checkEnv, topLevel);
  const elsewhere = await digestElsewhere(git, mirrors, [
    ...new Set(checks.flatMap((check) => outsideFolders(check, checkEnv, topLevel))),
  ]);
  if (tree.type === 'failed') {
    const { digest } = await folderDigest(folder);
    const files = roughFiles(`${digest}-${around.digest}`);
    return { files, key: null, problem: tree.reason, isRough: true, head: null, tree: treeState(tree) };
  }
  const problem = tree.problem ?? around.problem ?? elsewhere.problem;
  const files = `${tree.digest}-${around.digest}-${elsewhere.digest}`;
  const key = problem === null ? `${files}-${tree.surroundings}` : null;
  return {
    ...{ files, key, problem, isRough: false, head: tree.head },
    tree: treeState(tree),
    reading,
  };
}

const MAX_ELSEWHERE = 20;
const TOO_MANY = {
  type: 'failed',
  reason: `The checks name more than ${MAX_ELSEWHERE} folders outside the repository.`,
} as const;

/** A digest of folders outside the repository, each through its own repository if it is in one. */
async function digestElsewhere(git: Git, mirrors: string, folders: readonly string[]) {
  const hash = createHash('sha256');
  let problem: string | null = null;
  for (const [index, folder] of folders.entries()) {
    const found = index < MAX_ELSEWHERE ? await treeDigest(git, { folder, mirrors }) : TOO_MANY;
    if (found.type === 'failed') problem = found.reason;
    else problem ??= found.problem;
    hash.update(`${folder}\0${found.type === 'digest' ? `${found.digest} ${found.surroundings}` : ''}\0`);
  }
  return { digest: folders.length === 0 ? '' : hash.digest('hex'), problem };
}
