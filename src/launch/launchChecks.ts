import { existsSync } from 'node:fs';
import type { AgentCommand, OffByProject } from '../hosts/host.ts';
import { valuesOf } from '../hosts/optionWords.ts';
import type { GateDecision } from '../schemas/ledger.ts';
import { type Armed, decideArmed } from '../stop/armed.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { whyDefinitionUntrusted } from '../stop/checks/folderTrust.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { type GateEnding, gaveUp, isProof, NOT_PROVEN_EXIT } from '../stop/ending.ts';
import { INSIDE_CHECK, NEVER_BLOCK_WORDS } from '../stop/exemptions.ts';
import { exitOfRun, type RunEnding } from '../stop/runEnding.ts';
import { endingSinceStart } from '../stop/sinceStart.ts';
import { isSwitchedOff } from '../stop/situation.ts';
import { goneEnding } from '../stop/startFile.ts';
import { UserError } from '../system/userError.ts';
import type { World } from '../system/world.ts';
import type { LaunchRequest } from './launchRequest.ts';

export interface LaunchedAgent {
  /** Without one, for any agent: one without a stop hook settles its task too. */
  readonly command?: AgentCommand | undefined;
  readonly request: Pick<LaunchRequest, 'checks' | 'trustProject'>;
  readonly folder: string;
  readonly world: World;
}

/** The checks at this agent's stop, or why there are none. */
export async function armLaunch(launched: LaunchedAgent): Promise<Armed> {
  const { request, folder, world } = launched;
  const file = findConfig(folder);
  const config = await readConfig(folder);
  return decideArmed({
    config,
    file,
    untrusted: request.trustProject ? null : whyDefinitionUntrusted(config, folder, world),
    off: file === null ? null : (whyOff(launched) ?? describeOff(await offOfAgent(launched))),
  });
}

const offOfAgent = async ({ command, folder, world }: LaunchedAgent) =>
  command?.agent.whyChecksAreOff(command, folder, world) ?? null;

const describeOff = (off: string | OffByProject | null): string | null =>
  off === null || typeof off === 'string' ? off : off.why;

/** Before the agent starts: a repository must not decide that its launch is held to nothing, and then ends with success. */
export async function refuseDisarmed(launched: LaunchedAgent): Promise<void> {
  const { command, folder } = launched;
  if (findConfig(folder) === null || whyOff(launched) !== null) return;
  const off = await offOfAgent(launched);
  if (off === null || typeof off === 'string') return;
  // where they would not run in any case, the launch says so
  const { checks } = await armLaunch({ ...launched, command: undefined });
  if (checks.length === 0) return;
  throw new UserError(
    `The checks cannot hold ${command?.agent.title ?? 'the agent'}, because a file of the project switches hooks off: ${off.why}; remove that there, or pass --no-checks to run without checks.`,
  );
}

function whyOff({ request, world }: LaunchedAgent): string | null {
  if (!request.checks) return '--no-checks';
  if (isSwitchedOff(world)) return NEVER_BLOCK_WORDS.switchedOff;
  return world.env[INSIDE_CHECK] === '1' ? NEVER_BLOCK_WORDS.insideCheck : null;
}

/**
 * How the gate of an agent ended, by its part of the ledger: the last answer to the process that began first. Agents that it
 * started have entries there too, with other processes.
 */
export function endingOfAgent(armed: Armed, own: readonly GateDecision[]): GateEnding {
  const hostOf = ({ hostPid, session }: GateDecision) => hostPid ?? session;
  const stops = own.filter(({ type }) => type !== 'run');
  const [first] = stops;
  if (first === undefined) return armed.ending;
  const last = stops.findLast((one) => one.ending !== null && hostOf(one) === hostOf(first))?.ending;
  if (last === undefined || last === null) return armed.ending;
  // only the start knows the cause: to the agent, `--no-checks` is Stopgate switched off
  const isKnown = last.type === 'notArmed' && armed.ending.type === 'notArmed';
  return isKnown ? armed.ending : (last as GateEnding);
}

/** The same compared with the start: the agent may have changed its checks after its last stop, or without one. */
export async function endingSinceArmed(
  armed: Armed,
  ending: GateEnding,
  { folder, mayPlan }: { readonly folder: string; readonly mayPlan: boolean },
): Promise<GateEnding> {
  // an agent can remove the folder; then there is nothing to compare
  if (!existsSync(folder)) return ending;
  const isGone = ending.type === 'notAsked' && armed.file !== null && findConfig(folder) !== armed.file;
  const plain = isGone && armed.file !== null ? goneEnding(armed.file) : ending;
  return endingSinceStart(plain, { start: armed, now: await readConfig(folder), mayPlan });
}

/** Whether a person chose plan mode for the launch, or can choose it at the terminal. */
export const mayPlan = ({ args }: Pick<AgentCommand, 'args'>, interactive: boolean): boolean =>
  interactive || valuesOf(args, ['--permission-mode', '--approval-mode']).includes('plan');

/** The exit code of an agent that ended by itself: special ones when its run did not complete or its checks did not pass. */
export function provenExit(
  run: RunEnding,
  ending: GateEnding,
  { requireProof, interactive }: Pick<LaunchRequest, 'requireProof' | 'interactive'>,
): number {
  if (requireProof) return isProof(ending) ? 0 : NOT_PROVEN_EXIT;
  // a person who leaves without a prompt wanted nothing, and sees which processes were ended
  if (interactive) return gaveUp(ending) && ending.type !== 'notAsked' ? NOT_PROVEN_EXIT : 0;
  return exitOfRun(run, ending);
}
