import { nearestName } from '../system/nearestName.ts';
import { ALIAS_NAMES, resolveAlias } from './providers/aliases.ts';
import { anthropic } from './providers/anthropic.ts';
import { google } from './providers/google.ts';
import { openai } from './providers/openai.ts';
import { openaiCompatible, resolveUrl } from './providers/openaiCompatible.ts';
import type { Env, Provider, ResolvedModel, ResolveHelp } from './providers/provider.ts';
import { loadScript } from './scripted/loadScript.ts';

export type { Env, ResolvedModel } from './providers/provider.ts';

const PROVIDERS: readonly Provider[] = [anthropic, openai, google, openaiCompatible];

/** Names that are not `provider/model`: told by how they begin. */
const FORMS: readonly { readonly begins: RegExp; readonly resolve: (name: string, env: Env) => ResolvedModel }[] = [
  { begins: /^scripted:/, resolve: (name) => resolveScript(name.slice('scripted:'.length)) },
  { begins: /^https?:\/\//, resolve: resolveUrl },
];

/**
 * The model that a name stands for, ready to be asked: `provider/model`, a bare `claude-…`, `gpt-…` or `gemini-…`, an
 * alias, `http://host/v1#model`, or `scripted:FILE`. Makes no request and loads no SDK; what is missing is a sentence.
 */
export function resolveModel(name: string, env: Env, help: ResolveHelp = {}): ResolvedModel {
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
  if (modelName === '') return { type: 'unknown', message: `'${full}' names no model after the slash` };
  return provider.resolve(modelName, env, help);
}

function resolveScript(file: string): ResolvedModel {
  const script = loadScript(file);
  return script.type === 'ok' ? script : { type: 'unknown', message: script.message };
}

function unknownName(name: string, slash: number): ResolvedModel {
  const providers = PROVIDERS.map((provider) => provider.name);
  if (slash > 0) {
    const wanted = name.slice(0, slash);
    const message = `there is no provider '${wanted}'${hint(nearestName(wanted, providers))}; known are ${providers.join(', ')}, scripted:FILE and http://HOST/v1#MODEL`;
    return { type: 'unknown', message };
  }
  const nearest = nearestName(name, [...ALIAS_NAMES, ...providers.map((provider) => `${provider}/`)]);
  const message = `'${name}' is no known model${hint(nearest)}; write PROVIDER/MODEL with one of ${providers.join(', ')}`;
  return { type: 'unknown', message };
}

const hint = (nearest: string | undefined) => (nearest === undefined ? '' : `, did you mean '${nearest}'?`);
