import type { KeyHelper } from '../keyHelper.ts';
import type { Model } from '../types.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** `unknown` has a message for the user: no such provider, no key, a bad script. */
export type ResolvedModel =
  | { readonly type: 'ok'; readonly model: Model }
  | { readonly type: 'unknown'; readonly message: string };

export interface ResolveHelp {
  /** For Anthropic's protocol, when no variable holds a key. */
  readonly keyHelper?: KeyHelper;
}

/** One provider: its name, and how the environment configures its models. */
export interface Provider {
  readonly name: string;
  /** Whether it has the model with this name without a provider. */
  readonly ownsBareName: (name: string) => boolean;
  readonly resolve: (modelName: string, env: Env, help: ResolveHelp) => ResolvedModel;
}

/** The first variable that is set, and its value. */
export function firstSet(env: Env, names: readonly string[]): { variable: string; value: string } | undefined {
  for (const variable of names) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

export function missingKey(model: string, variables: readonly string[], env: Env): ResolvedModel {
  const [first = ''] = variables;
  return {
    type: 'unknown',
    message: `${model} needs an API key: set ${variables.join(' or ')}${whyWithheld(first, env)}`,
  };
}

/** When Stopgate started this process without the key, setting it again would not help. */
function whyWithheld(variable: string, env: Env): string {
  if (env.STOPGATE_HOOK_DEPTH) {
    return ` (hooks receive no secrets by default: add "allowedEnvVars": ["${variable}"] to the hook that started this)`;
  }
  if (env.STOPGATE === '1')
    return ` (an agent's commands receive no secrets by default: STOPGATE_PASS_ENV=${variable} passes it)`;
  return '';
}

/** STOPGATE_STREAM_IDLE_MS and API_TIMEOUT_MS as options, when they are positive numbers. */
export function timeOptions(env: Env): { idleMs?: number; firstMs?: number } {
  const [idleMs, firstMs] = [milliseconds(env.STOPGATE_STREAM_IDLE_MS), milliseconds(env.API_TIMEOUT_MS)];
  return { ...(idleMs === undefined ? {} : { idleMs }), ...(firstMs === undefined ? {} : { firstMs }) };
}

/** Node's timers fire immediately for longer delays. */
const LONGEST_MS = 2 ** 31 - 1;

function milliseconds(text: string | undefined): number | undefined {
  const ms = Number(text);
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_MS) : undefined;
}

/** The variable of the server's address, for advice; nothing for the provider's own address. */
export function urlOption(env: Env, variable: string): { urlVariable?: string } {
  return env[variable] ? { urlVariable: variable } : {};
}

/** A base URL without a final slash and with the version that the SDK expects. */
export function versionedUrl(url: string, version: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return /\/v\d+\w*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`;
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** CLAUDE_CODE_EFFORT_LEVEL, when it names a level; the model's own default otherwise. */
export function effortIn(env: Env): Effort | undefined {
  const named = env.CLAUDE_CODE_EFFORT_LEVEL?.trim().toLowerCase();
  return EFFORTS.find((effort) => effort === named);
}
