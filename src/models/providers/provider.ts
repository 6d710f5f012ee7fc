import type { KeyHelper } from '../keyHelper.ts';
import type { Model } from '../types.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** `unknown` is a sentence for a person: no such provider, no key, a bad script. No request was made. */
export type ResolvedModel =
  | { readonly type: 'ok'; readonly model: Model }
  | { readonly type: 'unknown'; readonly message: string };

/** What is known beside the environment. */
export interface ResolveHelp {
  /** For Anthropic's protocol, where no variable holds a key. */
  readonly keyHelper?: KeyHelper;
}

/** One provider: how it is named, and how a model of it is made from what the environment holds. */
export interface Provider {
  readonly name: string;
  /** Whether a name without a provider is one of its models. */
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

/** Where Stopgate itself started this process without the key, setting it once more would not help. */
function whyWithheld(variable: string, env: Env): string {
  if (env.STOPGATE_HOOK_DEPTH) {
    return ` (hooks get no secrets by default: add "allowedEnvVars": ["${variable}"] to the hook that started this)`;
  }
  if (env.STOPGATE === '1')
    return ` (an agent's commands get no secrets by default: STOPGATE_PASS_ENV=${variable} passes it)`;
  return '';
}

/** STOPGATE_STREAM_IDLE_MS and API_TIMEOUT_MS as options, when they are numbers of milliseconds. */
export function timeOptions(env: Env): { idleMs?: number; firstMs?: number } {
  const [idleMs, firstMs] = [milliseconds(env.STOPGATE_STREAM_IDLE_MS), milliseconds(env.API_TIMEOUT_MS)];
  return { ...(idleMs === undefined ? {} : { idleMs }), ...(firstMs === undefined ? {} : { firstMs }) };
}

/** Timers of Node fire immediately when asked for more than this. */
const LONGEST_MS = 2 ** 31 - 1;

function milliseconds(text: string | undefined): number | undefined {
  const ms = Number(text);
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_MS) : undefined;
}

/** Where a server's address is from, for advice; nothing for the provider's own address. */
export function urlOption(env: Env, variable: string): { urlVariable?: string } {
  return env[variable] ? { urlVariable: variable } : {};
}

/** A base URL without a slash at its end and with the version that the SDK expects in it. */
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
