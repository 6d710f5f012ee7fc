import { homedir } from 'node:os';
import { mayEdit } from '../../permissions/mayEdit.ts';
import { splitToolList } from '../../permissions/splitToolList.ts';
import { loadSettings } from '../../session/settings/loadSettings.ts';
import { TRUSTED } from '../../session/trust/folderTrust.ts';
import { type Demand, demandOf } from '../../stop/checks/demand.ts';
import type { Payload } from '../../stop/payload.ts';
import { workerIdentity } from '../../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../../stop/world.ts';
import { commandLineOf } from '../../system/commandLine.ts';
import { folderOrItsPlace } from '../../system/currentFolder.ts';
import { MARKS } from '../../system/marks.ts';
import { hasOption, valuesOf } from '../optionWords.ts';

/** What the user wants from a session of Claude Code, as far as its hook can know. */
export async function demandOfClaude(payload: Payload, world: GateWorld): Promise<Demand> {
  const { env } = world;
  const entrypoint = env.CLAUDE_CODE_ENTRYPOINT ?? '';
  // a person at the terminal of a launch may only want an answer
  const launched = Boolean(env[MARKS.launch]) && entrypoint !== 'cli';
  const worker = workerIdentity(env) !== null;
  // `sdk-cli` is `claude -p`; `sdk-ts` and `sdk-py` are programs; `cli` is a person at a terminal
  const headless = entrypoint.startsWith('sdk');
  const edits = headless && !launched && !worker ? await mayEditHere(payload, world) : null;
  return demandOf({ requireProof: false, launched, worker, headless, mayEdit: edits });
}

async function mayEditHere(payload: Payload, { env, hostPid }: GateWorld): Promise<boolean | null> {
  const args = hostPid === null ? null : commandLineOf(hostPid);
  const projectDir = env.CLAUDE_PROJECT_DIR || String(payload.cwd ?? folderOrItsPlace(env));
  const flagSettings = valuesOf(args ?? [], ['--settings'])[0];
  const { merged } = await loadSettings({
    projectDir,
    homeDir: env.HOME || homedir(),
    env,
    trust: TRUSTED,
    ...(flagSettings !== undefined && { flagSettings }),
  });
  return mayClaudeEdit({ mode: String(payload.permission_mode ?? 'default'), args, settings: [merged.permissions] });
}

export interface ClaudeEditFacts {
  /** `permission_mode` of the hook's input. */
  readonly mode: string;
  /** Its command line; null when it cannot be read. */
  readonly args: readonly string[] | null;
  /** The `permissions` of its settings files. */
  readonly settings: readonly { readonly allow: readonly string[]; readonly deny: readonly string[] }[];
}

/**
 * Whether a headless Claude Code may change files. Its hooks get its mode, but not its rules: those are on its command line
 * and in its settings files. Null when it depends on a command line that cannot be read.
 */
export function mayClaudeEdit({ mode, args, settings }: ClaudeEditFacts): boolean | null {
  const words = args ?? [];
  const rules = (...names: readonly string[]) => splitToolList(valuesOf(words, names).join(' '));
  const facts = {
    mode,
    allow: [...settings.flatMap(({ allow }) => allow), ...rules('--allowedTools', '--allowed-tools')],
    deny: [...settings.flatMap(({ deny }) => deny), ...rules('--disallowedTools', '--disallowed-tools')],
  };
  const tools = hasOption(words, '--tools') ? rules('--tools') : ['default'];
  // it lists the built-in tools; those of MCP servers stay
  if (!tools.some((tool) => ABLE.has(tool)))
    return mayEdit({ ...facts, mode: 'default', allow: facts.allow.filter((rule) => rule.startsWith('mcp__')) });
  // the program that started it answers permission requests
  if (hasOption(words, '--permission-prompt-tool') || mayEdit(facts)) return true;
  return args === null ? null : false;
}

/** Values of `--tools` that can change files. */
const ABLE = new Set(['default', 'Edit', 'Write', 'NotebookEdit', 'Bash']);
