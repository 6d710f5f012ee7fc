import type { Rule } from './parseRule.ts';
import type { PermissionFacts, PermissionRequest } from './types.ts';

export type FactsOf<Type extends PermissionRequest['type']> = Omit<PermissionFacts, 'request'> & {
  readonly request: Extract<PermissionRequest, { type: Type }>;
};

/** A rule that stands against a call, and what of the call it is about. */
export interface Restriction {
  readonly rule: Rule;
  readonly about: string;
}

/**
 * What a call is without any rule: `harmless` runs in every mode, `edit` where edits are accepted. `needed` says in a
 * few words why anything else needs a yes.
 */
export type Standing =
  | { readonly type: 'harmless' }
  | { readonly type: 'edit'; readonly needed: string }
  | { readonly type: 'risky'; readonly needed: string };

/** How one kind of request is held against rules. */
export interface Judge<Type extends PermissionRequest['type']> {
  /** The first of the rules (deny or ask ones) that holds against the call. */
  restriction(rules: readonly Rule[], facts: FactsOf<Type>): Restriction | undefined;
  /** In a few words, why the allow rules allow the call; undefined when they do not. */
  allowance(rules: readonly Rule[], facts: FactsOf<Type>): string | undefined;
  standing(facts: FactsOf<Type>): Standing;
  /**
   * In a few words, why only a person, a PermissionRequest hook or an allow rule that names this very thing lets the
   * call run: not a rule for the whole tool, and not a PreToolUse hook's allow.
   */
  guarded?(rules: readonly Rule[], facts: FactsOf<Type>): string | undefined;
  /** The path of the agent's own gate that the call would change, unless an allow rule names it. */
  gatePath?(rules: readonly Rule[], facts: FactsOf<Type>): string | undefined;
  /** Rules that would allow this call and no other one; empty when there are none that say just that. */
  suggestion(facts: FactsOf<Type>): readonly string[];
  /** The call in a few words, for sentences. */
  describe(facts: FactsOf<Type>): string;
}
