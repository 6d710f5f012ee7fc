import { existsSync } from 'node:fs';
import { valuesOf } from '../hosts/optionWords.ts';
import type { AgentCommand } from '../hosts/host.ts';
import type { GateDecision } from '../schemas/gateDecision.ts';
import { type Armed, decideArmed } from '../stop/armed.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { areChecksTrusted } from '../stop/checks/folderTrust.ts';
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

/** Which checks hold this agent at its stop, and if none, why. */
export function armLaunch({ command, ...place }: LaunchedAgent): Promise<Armed> {
  return arm(place, () => command.agent.whyChecksAreOff(command, place.folder, place.world));
}

/** Which checks hold for a folder, whatever agent works there: one without a stop hook settles its task all the same. */
export const armFolder = (place: Omit<LaunchedAgent, 'command'>): Promise<Armed> => arm(place, async () => null);

async function arm(place: Omit<LaunchedAgent, 'command'>, ofAgent: WhyOff): Promise<Armed> {
  const { request, folder, world } = place;
  const file = findConfig(folder);
  return decideArmed({
    config: await readConfig(folder),
    file,
    trusted: request.trustProject || (await areChecksTrusted(folder, world)),
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
 * How the gate of an agent ended, by the part of the ledger that is its own: the last answer to the process that began first. Agents
 * that it started itself are in the same part with processes of their own.
 */
export function endingOfAgent(armed: Armed, own: readonly GateDecision[]): GateEnding {
  const hostOf = ({ hostPid, session }: GateDecision) => hostPid ?? session;
  const [first] = own;
  if (first === undefined) return armed.ending;
  const last = own.findLast((one) => one.ending !== null && hostOf(one) === hostOf(first))?.ending;
  if (last === undefined || last === null) return armed.ending;
  // the start knows the cause: `--no-checks` reaches the agent as a switch that is off
  const isKnown = last.type === 'notArmed' && armed.ending.type === 'notArmed';
  return isKnown ? armed.ending : (last as GateEnding);
}

/** The same, seen from the start: what the agent did to its checks after its last stop, or instead of one, counts too. */
export async function endingSinceArmed(
  armed: Armed,
  ending: GateEnding,
  { folder, mayPlan }: { readonly folder: string; readonly mayPlan: boolean },
): Promise<GateEnding> {
  // an agent can remove the folder; then nothing is left to compare
  if (!existsSync(folder)) return ending;
  const isGone = ending.type === 'notAsked' && armed.file !== null && findConfig(folder) !== armed.file;
  const plain = isGone && armed.file !== null ? goneEnding(armed.file) : ending;
  return endingSinceStart(plain, { start: armed, now: await readConfig(folder), mayPlan });
}

/** Plan mode that the person chose for the launch, or can choose at the terminal. */
export const mayPlan = ({ args }: Pick<AgentCommand, 'args'>, interactive: boolean): boolean =>
  interactive || valuesOf(args, ['--permission-mode']).includes('plan');

/** The exit code of an agent that ended well and whose checks did not. */
export function provenExit(
  { how, exitCode }: Pick<LaunchReport, 'how' | 'exitCode'>,
  ending: GateEnding,
  { requireProof, interactive }: Pick<LaunchRequest, 'requireProof' | 'interactive'>,
): number {
  if (how !== 'finished') return exitCode;
  if (requireProof) return isProof(ending) ? exitCode : NOT_PROVEN_EXIT;
  // a person who leaves without a word asked for nothing
  const isUnused = interactive && ending.type === 'notAsked';
  return gaveUp(ending) && !isUnused ? NOT_PROVEN_EXIT : exitCode;
}
