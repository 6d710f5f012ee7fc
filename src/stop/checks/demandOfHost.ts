import { homedir } from 'node:os';
import { identifyCaller, type Payload } from '../../hosts/callers.ts';
import { mayClaudeEdit, valuesOf } from '../../hosts/claudeCode/mayClaudeEdit.ts';
import { loadSettings } from '../../session/settings/loadSettings.ts';
import { commandLineOf } from '../../system/commandLine.ts';
import { MARKS } from '../../system/marks.ts';
import type { GateWorld } from '../gateWorld.ts';
import { workerIdentity } from '../worker/workerIdentity.ts';
import { type Demand, demandOf } from './demand.ts';

/** What a host's session was asked for, as far as its hook can know. */
export async function demandOfHost(payload: Payload, world: GateWorld): Promise<Demand> {
  const { env } = world;
  const caller = identifyCaller(payload, world.stopgateHome);
  const entrypoint = (caller === 'claudeCode' && env.CLAUDE_CODE_ENTRYPOINT) || '';
  // a launch that a person talks to is a conversation
  const launched = Boolean(env[MARKS.launch]) && entrypoint !== 'cli';
  const worker = workerIdentity(env) !== null;
  // `sdk-cli` is `claude -p`; `sdk-ts` and `sdk-py` are programs; `cli` is a person at a terminal
  const headless = entrypoint.startsWith('sdk');
  const mayEdit = headless && !launched && !worker ? await mayHostEdit(payload, world) : null;
  return demandOf({ requireProof: false, launched, worker, headless, mayEdit });
}

async function mayHostEdit(payload: Payload, { env, hostPid }: GateWorld): Promise<boolean | null> {
  const args = hostPid === null ? null : commandLineOf(hostPid);
  const projectDir = env.CLAUDE_PROJECT_DIR || String(payload.cwd ?? process.cwd());
  const flagSettings = valuesOf(args ?? [], ['--settings'])[0];
  const { merged } = await loadSettings({
    projectDir,
    homeDir: env.HOME || homedir(),
    env,
    trusted: true,
    ...(flagSettings !== undefined && { flagSettings }),
  });
  return mayClaudeEdit({ mode: String(payload.permission_mode ?? 'default'), args, settings: [merged.permissions] });
}
