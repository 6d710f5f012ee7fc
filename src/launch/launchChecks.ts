import { existsSync } from 'node:fs';
import type { AgentCommand } from '../hosts/host.ts';
import { valuesOf } from '../hosts/optionWords.ts';
import type { GateDecision } from '../schemas/gateDecision.ts';
import { type Armed, decideArmed } from '../stop/armed.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { whyChecksUntrusted } from '../stop/checks/folderTrust.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { type GateEnding, gaveUp, isProof, NOT_PROVEN_EXIT } from '../stop/ending.ts';
import { INSIDE_CHECK, NEVER_BLOCK_WORDS } from '../stop/exemptions.ts';
import { endingSinceStart } from '../stop/sinceStart.ts';
import { isSwitchedOff } from '../stop/situation.ts';
import { goneEnding } from '../stop/startFile.ts';
import type { World } from '../system/world.ts';
import type { LaunchReport } from './launchReport.ts';
import type { LaunchRequest } from './launchRequest.ts';

export interface LaunchedAgent {
  readonly command: AgentCommand;
  readonly request: Pick<LaunchRequest, 'checks' | 'trustProject'>;
  readonly folder: string;
  readonly world: World;
}

/** The checks at this agent's stop, or why there are none. */
export function armLaunch({ command, ...place }: LaunchedAgent): Promise<Armed> {
  return arm(place, () => command.agent.whyChecksAreOff(command, place.folder, place.world));
}

/** The checks of a folder for any agent: one without a stop hook settles its task too. */
export const armFolder = (place: Omit<LaunchedAgent, 'command'>): Promise<Armed> => arm(place, async () => null);

async function arm(place: Omit<LaunchedAgent, 'command'>, ofAgent: WhyOff): Promise<Armed> {
  const { request, folder, world } = place;
  const file = findConfig(folder);
  const config = await readConfig(folder);
  return decideArmed({
    config,
    file,
    untrusted: config.type !== 'config' || request.trustProject ? null : whyChecksUntrusted(config.done, world),
    off: file === null ? null : (whyOff(place) ?? (await ofAgent())),
  });
}

type WhyOff = () => Promise<string | null>;

function whyOff({ request, world }: Omit<LaunchedAgent, 'command'>): string | null {
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
  const [first] = own;
  if (first === undefined) return armed.ending;
  const last = own.findLast((one) => one.ending !== null && hostOf(one) === hostOf(first))?.ending;
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
  interactive || valuesOf(args, ['--permission-mode']).includes('plan');

/** The exit code: a special one when the agent finished but its checks did not pass. */
export function provenExit(
  { how, exitCode }: Pick<LaunchReport, 'how' | 'exitCode'>,
  ending: GateEnding,
  { requireProof, interactive }: Pick<LaunchRequest, 'requireProof' | 'interactive'>,
): number {
  if (how !== 'finished') return exitCode;
  if (requireProof) return isProof(ending) ? exitCode : NOT_PROVEN_EXIT;
  // a person who leaves without a prompt wanted nothing
  const isUnused = interactive && ending.type === 'notAsked';
  return gaveUp(ending) && !isUnused ? NOT_PROVEN_EXIT : exitCode;
}
