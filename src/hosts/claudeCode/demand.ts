import { homedir } from 'node:os';
import { loadSettings } from '../../session/settings/loadSettings.ts';
import { type Demand, demandOf } from '../../stop/checks/demand.ts';
import type { Payload } from '../../stop/payload.ts';
import { workerIdentity } from '../../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../../stop/world.ts';
import { commandLineOf } from '../../system/commandLine.ts';
import { MARKS } from '../../system/marks.ts';
import { mayClaudeEdit, valuesOf } from './mayClaudeEdit.ts';

/** What a session of Claude Code was asked for, as far as its hook can know. */
export async function demandOfClaude(payload: Payload, world: GateWorld): Promise<Demand> {
  const { env } = world;
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT ?? '';
  // a launch that a person talks to is a conversation
  const launched = Boolean(env[MARKS.launch]) && entrypoint !== 'cli';
  const worker = workerIdentity(env) !== null;
  // `sdk-cli` is `claude -p`; `sdk-ts` and `sdk-py` are programs; `cli` is a person at a terminal
  const headless = entrypoint.startsWith('sdk');
  const mayEdit = headless && !launched && !worker ? await mayEditHere(payload, world) : null;
  return demandOf({ requireProof: false, launched, worker, headless, mayEdit });
}

async function mayEditHere(payload: Payload, { env, hostPid }: GateWorld): Promise<boolean | null> {
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
