import { existsSync } from 'node:fs';
import type { LaunchReport } from '../cli/commands/launch/launchReport.ts';
import type { LaunchRequest } from '../cli/commands/launch/launchRequest.ts';
import { NOT_PROVEN_EXIT } from '../cli/commands/prompt/ending.ts';
import type { AgentCommand } from '../hosts/agentCommand.ts';
import { valuesOf } from '../hosts/claudeCode/mayClaudeEdit.ts';
import type { GateDecision } from '../schemas/gateDecision.ts';
import { loadSettings } from '../session/settings/loadSettings.ts';
import { type Armed, decideArmed } from '../stop/armed.ts';
import { isSwitchedOff } from '../stop/ask.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { areChecksTrusted } from '../stop/checks/folderTrust.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { INSIDE_CHECK, NEVER_BLOCK_WORDS } from '../stop/exemptions.ts';
import { type GateEnding, gaveUp, isProof } from '../stop/gateEnding.ts';
import { endingSinceStart } from '../stop/sinceStart.ts';
import { goneEnding } from '../stop/whyGone.ts';
import type { World } from '../system/world.ts';

export interface LaunchedAgent {
  readonly command: AgentCommand;
  readonly request: Pick<LaunchRequest, 'checks' | 'trustProject'>;
  readonly folder: string;
  readonly world: World;
}

/** Which checks hold this agent at its stop, and if none, why. */
export async function armLaunch(agent: LaunchedAgent): Promise<Armed> {
  const { request, folder, world } = agent;
  const file = findConfig(folder);
  return decideArmed({
    config: await readConfig(folder),
    file,
    trusted: request.trustProject || (await areChecksTrusted(folder, world)),
    off: file === null ? null : await whyOff(agent),
  });
}

async function whyOff({ command, request, folder, world }: LaunchedAgent): Promise<string | null> {
  if (!request.checks) return '--no-checks';
  if (isSwitchedOff(world)) return NEVER_BLOCK_WORDS.switchedOff;
  if (world.env[INSIDE_CHECK] === '1') return NEVER_BLOCK_WORDS.insideCheck;
  return OFF_BY[command.wiredBy](command, folder, world);
}

type WhyOff = (command: AgentCommand, folder: string, world: World) => Promise<string | null>;

const OFF_BY: Readonly<Record<AgentCommand['wiredBy'], WhyOff>> = {
  itself: async ({ args }) => (args.includes('--bare') ? '--bare' : null),
  environment: async ({ name }) => `${name} has no stop hook`,
  claudeSettings: async ({ args }, folder, { homeDir, env }) => {
    if (args.includes('--bare')) return '--bare';
    const sources = valuesOf(args, ['--setting-sources']).join(',').split(',');
    if (sources[0] !== '' && !sources.includes('local')) return '--setting-sources leaves out local settings';
    const { merged, layers } = await loadSettings({ projectDir: folder, homeDir, env, trusted: true });
    const off = layers.findLast(({ settings }) => settings.disableAllHooks === true);
    return merged.disableAllHooks && off ? `disableAllHooks is set in ${off.file}` : null;
  },
};

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
