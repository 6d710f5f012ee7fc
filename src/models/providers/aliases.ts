import { type Env, firstSet } from './provider.ts';

interface Alias {
  /** Variables that name the model instead, in order; Claude Code's own. */
  readonly variables: readonly string[];
  readonly model: string;
}

/** Claude Code's short names. The newest of each family, of the model list of @ai-sdk/anthropic 4.0.102. */
const ALIASES: Readonly<Record<string, Alias>> = {
  opus: { variables: ['ANTHROPIC_DEFAULT_OPUS_MODEL'], model: 'claude-opus-5-5' },
  sonnet: { variables: ['ANTHROPIC_DEFAULT_SONNET_MODEL'], model: 'claude-sonnet-5-5' },
  haiku: { variables: ['ANTHROPIC_DEFAULT_HAIKU_MODEL', 'ANTHROPIC_SMALL_FAST_MODEL'], model: 'claude-haiku-5-5' },
  default: { variables: ['ANTHROPIC_MODEL', 'ANTHROPIC_DEFAULT_SONNET_MODEL'], model: 'claude-sonnet-5-5' },
};

/** The full name behind a short one; any other name as it is. ANTHROPIC_MODEL may itself be a short name. */
export function resolveAlias(name: string, env: Env): string {
  const alias = lookUp(name);
  if (!alias) return name;
  const named = firstSet(env, alias.variables)?.value;
  if (named === undefined || named === name) return alias.model;
  const further = lookUp(named);
  return further ? (firstSet(env, further.variables.slice(-1))?.value ?? further.model) : named;
}

export const ALIAS_NAMES: readonly string[] = Object.keys(ALIASES);

function lookUp(name: string): Alias | undefined {
  return Object.hasOwn(ALIASES, name) ? ALIASES[name] : undefined;
}
