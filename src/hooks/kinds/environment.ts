import { withheldFrom, without } from '../../system/secretPolicy.ts';
import type { PluginPlace } from '../configuredHook.ts';

export interface EnvironmentFacts {
  readonly inherited: Readonly<Record<string, string | undefined>>;
  /** Names of secrets that hooks do not get. */
  readonly withheld?: ReadonlySet<string>;
  readonly projectDir: string;
  readonly sessionId: string;
  /** The agent's own process. */
  readonly pid: number;
  /** Where later commands find the variables this hook leaves; only some events have one. */
  readonly envFile?: string;
  readonly effort?: string;
}

/** How deep in hooks a process is: an agent that a hook started sees 1 or more. */
export function hookDepthOf(env: Readonly<Record<string, string | undefined>>): number {
  const depth = Number(env.STOPGATE_HOOK_DEPTH);
  return Number.isInteger(depth) && depth > 0 ? depth : 0;
}

/** The environment of a command hook: ours without secrets and telemetry, plus the session. */
export function hookEnvironment(facts: EnvironmentFacts): Readonly<Record<string, string>> {
  const { inherited, withheld = withheldFrom('hook', inherited), projectDir, sessionId, pid, envFile, effort } = facts;
  const env = without(withheld, inherited);
  for (const name in env) if (name.startsWith('OTEL_')) delete env[name];
  // an outer agent's file must not be written by an event that has none
  delete env.CLAUDE_ENV_FILE;
  delete env.CLAUDE_EFFORT;
  // frozen, so that the spawn helper can cache it for the next of ten hooks
  return Object.freeze({
    ...env,
    CLAUDE_PROJECT_DIR: projectDir,
    CLAUDECODE: '1',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_ENTRYPOINT: inherited.CLAUDE_CODE_ENTRYPOINT ?? 'sdk-cli',
    CLAUDE_CODE_SESSION_ID: sessionId,
    CLAUDE_PID: String(pid),
    STOPGATE_HOOK_DEPTH: String(hookDepthOf(inherited) + 1),
    ...(envFile === undefined ? {} : { CLAUDE_ENV_FILE: envFile }),
    ...(effort === undefined ? {} : { CLAUDE_EFFORT: effort }),
  });
}

/** What only a plugin's own hooks get. */
export function pluginEnvironment(plugin: PluginPlace): Readonly<Record<string, string>> {
  const options = Object.entries(plugin.options ?? {}).map(([name, value]) => [
    `CLAUDE_PLUGIN_OPTION_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`,
    value,
  ]);
  return { CLAUDE_PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_DATA: plugin.dataDir, ...Object.fromEntries(options) };
}
