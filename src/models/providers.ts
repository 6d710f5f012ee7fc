import type { Environment } from '../system/environment.ts';
import { nearestName } from '../system/nearestName.ts';
import { ownValue } from '../system/ownValue.ts';
import { anthropic } from './providers/anthropic.ts';
import { google } from './providers/google.ts';
import { openai } from './providers/openai.ts';
import { openaiCompatible, resolveUrl } from './providers/openaiCompatible.ts';
import { firstSet, type Provider, type ResolvedModel, type ResolveHelp } from './providers/provider.ts';
import { loadScript } from './scripted/loadScript.ts';

export type { ResolvedModel } from './providers/provider.ts';

const PROVIDERS: readonly Provider[] = [anthropic, openai, google, openaiCompatible];

/** Names that are not `provider/model`, recognized by their beginning. */
const FORMS: readonly {
  readonly begins: RegExp;
  readonly resolve: (name: string, env: Environment) => ResolvedModel;
}[] = [
  { begins: /^scripted:/, resolve: (name) => loadScript(name.slice('scripted:'.length)) },
  { begins: /^https?:\/\//, resolve: resolveUrl },
];

/**
 * The model with a name: `provider/model`, a bare `claude-…`, `gpt-…` or `gemini-…`, an alias, `http://host/v1#model`,
 * or `scripted:FILE`; else a message about what is missing. Sends no request and loads no SDK.
 */
export function resolveModel(name: string, env: Environment, help: ResolveHelp = {}): ResolvedModel {
  const full = resolveAlias(name.trim(), env);
  const form = FORMS.find(({ begins }) => begins.test(full));
  if (form) return form.resolve(full, env);
  const slash = full.indexOf('/');
  const provider =
    slash > 0
      ? PROVIDERS.find((candidate) => candidate.name === full.slice(0, slash))
      : PROVIDERS.find((candidate) => candidate.ownsBareName(full));
  if (!provider) return unknownName(full, slash);
  const modelName = slash > 0 ? full.slice(slash + 1) : full;
  if (modelName === '') return { type: 'unknown', message: `'${full}' has no model name after the slash` };
  return provider.resolve(modelName, env, help);
}

function unknownName(name: string, slash: number): ResolvedModel {
  const providers = PROVIDERS.map((provider) => provider.name);
  if (slash > 0) {
    const wanted = name.slice(0, slash);
    const message = `unknown provider '${wanted}'${hint(nearestName(wanted, providers))}; use ${providers.join(', ')}, scripted:FILE or http://HOST/v1#MODEL`;
    return { type: 'unknown', message };
  }
  const nearest = nearestName(name, [...Object.keys(ALIASES), ...providers.map((provider) => `${provider}/`)]);
  const message = `unknown model '${name}'${hint(nearest)}; write PROVIDER/MODEL, where PROVIDER is one of ${providers.join(', ')}`;
  return { type: 'unknown', message };
}

const hint = (nearest: string | undefined) => (nearest === undefined ? '' : `, did you mean '${nearest}'?`);

interface Alias {
  /** Claude Code's variables that override the model, in order. */
  readonly variables: readonly string[];
  readonly model: string;
}

/** Claude Code's short names, for the newest model of each family in @ai-sdk/anthropic 4.0.102. */
const ALIASES: Readonly<Record<string, Alias>> = {
  opus: { variables: ['ANTHROPIC_DEFAULT_OPUS_MODEL'], model: 'claude-opus-5-5' },
  sonnet: { variables: ['ANTHROPIC_DEFAULT_SONNET_MODEL'], model: 'claude-sonnet-5-5' },
  haiku: { variables: ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'], model: 'claude-haiku-5-5' },
  default: { variables: ['ANTHROPIC_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL'], model: 'claude-sonnet-5-5' },
};

/** The full name of an alias; any other name unchanged. ANTHROPIC_MODEL may itself be an alias. */
function resolveAlias(name: string, env: Environment): string {
  const alias = ownValue(ALIASES, name);
  if (!alias) return name;
  const named = firstSet(env, alias.variables)?.value;
  if (named === undefined || named === name) return alias.model;
  const further = ownValue(ALIASES, named);
  return further ? (firstSet(env, further.variables.slice(-1))?.value ?? further.model) : named;
}
