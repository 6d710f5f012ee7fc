import { type KeyHelper, KeyHelperError } from '../../models/keyHelper.ts';
import { type ResolvedModel, resolveModel } from '../../models/providers.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import type { ProcessEnd } from '../../system/processes.ts';
import type { World } from '../../system/world.ts';

/** Resolves every model of a session with the same variables and key. */
export interface ModelResolver {
  readonly env: Readonly<Record<string, string>>;
  readonly resolve: (name: string) => ResolvedModel;
}

/** Variables of the settings take precedence over the process's; `effortLevel` has the lowest. */
export function modelResolver(settings: LoadedSettings, world: World): ModelResolver {
  const { merged } = settings;
  const env = { ...effortOf(merged.other), ...world.env, ...merged.env };
  const helper = merged.apiKeyHelper === undefined ? undefined : keyHelper(merged.apiKeyHelper, env, world);
  return { env, resolve: (name) => resolveModel(name, env, helper ? { keyHelper: helper } : {}) };
}

function effortOf({ effortLevel }: Readonly<Record<string, unknown>>): Record<string, string> {
  return typeof effortLevel === 'string' && effortLevel !== '' ? { CLAUDE_CODE_EFFORT_LEVEL: effortLevel } : {};
}

/** Claude Code's default. */
const TTL_MS = 5 * 60_000;
const TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024;

/** Runs the settings' `apiKeyHelper` in a shell; its key is valid for CLAUDE_CODE_API_KEY_HELPER_TTL_MS. */
function keyHelper(command: string, env: Readonly<Record<string, string>>, world: World): KeyHelper {
  const ttlMs = Number(env.CLAUDE_CODE_API_KEY_HELPER_TTL_MS) || TTL_MS;
  const secrets: string[] = [];
  let known: { readonly key: Promise<string>; readonly at: number } | undefined;
  const run = async () => {
    const limits = { timeoutMs: TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
    const spec = { file: '/bin/sh', args: ['-c', command], cwd: world.cwd, env, ...limits };
    const key = keyIn(await world.processes.start(spec).ended);
    if (!secrets.includes(key)) secrets.push(key);
    return key;
  };
  return {
    secrets,
    // parallel requests share one run
    key: () => {
      const now = world.clock.now();
      if (known && now - known.at < ttlMs) return known.key;
      const key = run();
      known = { key, at: now };
      key.catch(() => {
        known = undefined;
      });
      return key;
    },
    forget: () => {
      known = undefined;
    },
  };
}

function keyIn(end: ProcessEnd): string {
  if (end.type === 'notStarted') throw new KeyHelperError(end.error);
  const key = end.stdout.trim();
  if (end.type === 'exited' && end.code === 0 && key !== '' && !/[\r\n\0]/.test(key)) return key;
  throw new KeyHelperError(whyNoKey(end, key));
}

/** Its stdout is not repeated: it may contain half a key. */
function whyNoKey(end: Exclude<ProcessEnd, { type: 'notStarted' }>, key: string): string {
  const lastLine = end.stderr.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  const more = lastLine === '' ? '' : `: ${lastLine}`;
  if (end.type === 'timedOut') return `it did not end within ${formatDuration(TIMEOUT_MS)}`;
  if (end.type !== 'exited') return `it was ended${more}`;
  if (end.code !== 0) return `exit code ${end.code}${more}`;
  return key === '' ? 'it printed nothing' : 'it printed more than one line';
}
