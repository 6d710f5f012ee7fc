import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import { parseRule } from './parseRule.ts';
import { splitToolList } from './splitToolList.ts';
import type { PermissionDecision } from './types.ts';

/** What would allow such calls from now on, as PermissionRequest hooks are offered it. */
export function suggestedUpdates({
  suggestion,
}: Extract<PermissionDecision, { type: 'ask' }>): readonly PermissionUpdate[] {
  if (suggestion === undefined) return [];
  const rules = splitToolList(suggestion).flatMap((text) => {
    const { rule } = parseRule(text);
    if (rule === undefined) return [];
    return [{ toolName: rule.toolName, ...(rule.content !== undefined && { ruleContent: rule.content }) }];
  });
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}
