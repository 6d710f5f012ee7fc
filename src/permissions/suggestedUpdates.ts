import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import { parseRule } from './parseRule.ts';
import type { PermissionDecision } from './types.ts';

/** What would allow such calls from now on, as PermissionRequest hooks are offered it. */
export function suggestedUpdates({
  suggestion = [],
}: Pick<Extract<PermissionDecision, { type: 'ask' }>, 'suggestion'>): readonly PermissionUpdate[] {
  if (suggestion.length === 0) return [];
  const rules = suggestion.flatMap((text) => {
    const { rule } = parseRule(text);
    if (rule === undefined) return [];
    return [{ toolName: rule.toolName, ...(rule.content !== undefined && { ruleContent: rule.content }) }];
  });
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}
