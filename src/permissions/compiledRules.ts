import { parseRule, type Rule } from './parseRule.ts';
import type { PermissionRules } from './types.ts';

export interface CompiledRules {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}

const known = new WeakMap<PermissionRules, CompiledRules>();

/** Rules read once for as long as the same rules are asked; texts that are no rules are left out here, told elsewhere. */
export function compileRules(rules: PermissionRules): CompiledRules {
  const before = known.get(rules);
  if (before) return before;
  const compiled = { allow: read(rules.allow), ask: read(rules.ask), deny: read(rules.deny) };
  known.set(rules, compiled);
  return compiled;
}

function read(texts: readonly string[]): readonly Rule[] {
  return texts.flatMap((text) => parseRule(text).rule ?? []);
}
