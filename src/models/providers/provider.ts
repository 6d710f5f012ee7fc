import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { Environment } from '../../system/environment.ts';
import { type AiSdkModelOptions, aiSdkModel } from '../aiSdk/aiSdkModel.ts';
import { gatewayMemory } from '../gateway/gatewayMemory.ts';
import { type FetchSettings, modelFetch } from '../gateway/modelFetch.ts';
import type { KeyHelper } from '../keyHelper.ts';
import type { Model } from '../types.ts';
import { windowOf } from './contextWindow.ts';

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
  readonly resolve: (modelName: string, env: Environment, help: ResolveHelp) => ResolvedModel;
}

/** The first variable that is set, and its value. */
export function firstSet(env: Environment, names: readonly string[]): { variable: string; value: string } | undefined {
  for (const variable of names) {
    const value = env[variable]?.trim();
    if (value) return { variable, value };
  }
  return undefined;
}

export function missingKey(model: string, variables: readonly string[], env: Environment): ResolvedModel {
  const advice = `set ${variables.join(' or ')}${whyWithheld(variables[0] ?? '', env)}`;
  return { type: 'unknown', message: `${model} needs an API key: ${advice}` };
}

/** When Stopgate started this process without the key, setting it again would not help. */
function whyWithheld(variable: string, env: Environment): string {
  if (env.STOPGATE_HOOK_DEPTH) {
    return ` (hooks receive no secrets by default: add "allowedEnvVars": ["${variable}"] to the hook that started this)`;
  }
  if (env.STOPGATE === '1')
    return ` (an agent's commands receive no secrets by default: STOPGATE_PASS_ENV=${variable} passes it)`;
  return '';
}

/** A model's server, as the environment configures it. */
interface ModelServer extends Pick<FetchSettings, 'normalizer'> {
  readonly id: string;
  readonly env: Environment;
  /** As the provider's API knows it. */
  readonly apiName: string;
  readonly baseURL: string;
  /** The variable of the server's address, for advice; nothing is advised about the provider's own address. */
  readonly urlVariable: string;
  /** A provider's own variables for the size of the window. */
  readonly windowVariables?: readonly string[];
  readonly key: Pick<AiSdkModelOptions, 'keyVariable' | 'secrets'>;
}

/** A model with what all providers have in common; `load` gets the `fetch` for its server. */
export function serverModel(
  { id, env, apiName, baseURL, urlVariable, key, windowVariables, normalizer }: ModelServer,
  load: (fetch: typeof globalThis.fetch) => Promise<LanguageModelV4>,
  more: Partial<AiSdkModelOptions> = {},
): Model {
  const [, contextWindow, maxOutputTokens = USUAL_OUTPUT] =
    LIMITS.find(([names]) => names.test(apiName)) ?? UNKNOWN_MODEL;
  const memory = gatewayMemory(baseURL);
  return aiSdkModel({
    id,
    contextWindow: windowOf(env, contextWindow, windowVariables),
    maxOutputTokens,
    ...key,
    notices: memory,
    urlVariable: env[urlVariable] ? urlVariable : undefined,
    idleMs: milliseconds(env.STOPGATE_STREAM_IDLE_MS),
    firstMs: milliseconds(env.API_TIMEOUT_MS),
    load: () => load(modelFetch({ env, memory, ...(normalizer && { normalizer }) })),
    ...more,
  });
}

/** Node's timers fire immediately for longer delays. */
const LONGEST_MS = 2 ** 31 - 1;

function milliseconds(text: string | undefined): number | undefined {
  const ms = Number(text);
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LONGEST_MS) : undefined;
}

/** A base URL without a final slash and with the version that the SDK expects. */
export function versionedUrl(url: string, version: string): string {
  const trimmed = url.replace(/\/+$/, '');
  return /\/v\d+\w*$/.test(trimmed) ? trimmed : `${trimmed}/${version}`;
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/** CLAUDE_CODE_EFFORT_LEVEL, when it names a level; the model's own default otherwise. */
export function effortIn(env: Environment): Effort | undefined {
  const named = env.CLAUDE_CODE_EFFORT_LEVEL?.trim().toLowerCase();
  return EFFORTS.find((effort) => effort === named);
}

/** Claude Code's default: larger limits only make a runaway reply longer. */
const USUAL_OUTPUT = 32_000;

/** From the providers' model pages, November 2026; the first match counts. */
const LIMITS: readonly (readonly [names: RegExp, contextWindow: number, maxOutputTokens?: number])[] = [
  [/^claude-3-haiku/, 200_000, 4_096],
  [/^claude-(?:fable|opus|sonnet|haiku)-5/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gpt-oss/, 131_072, 8_192],
  [/^gpt-3\.5/, 16_385, 4_096],
  [/^gpt-4o/, 128_000, 16_384],
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5\.[45]/, 1_000_000],
  [/^gpt-/, 400_000],
  [/^(?:o1|o3|o4-mini)/, 200_000],
  [/^gemini-2\.0/, 1_048_576, 8_192],
  [/^gemini-/, 1_048_576],
];
const UNKNOWN_MODEL = [/./, 128_000, 8_192] as const;
