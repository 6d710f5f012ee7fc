import { parseRule } from './parseRule.ts';

export interface EditFacts {
  /** A permission mode of ours or of another host. */
  readonly mode: string;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

const EDITORS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
const EDITING_MODES: ReadonlySet<string> = new Set(['acceptEdits', 'bypassPermissions', 'auto']);

/**
 * Whether a headless agent was given the permission to change files: by its mode, by a rule for an editing tool, or by Bash
 * without a limit. A rule for one command (`Bash(npm test)`) is none.
 */
export function mayEdit({ mode, allow, deny }: EditFacts): boolean {
  const denied = new Set(deny.flatMap((text) => unlimitedTool(text) ?? []));
  const isOffered = (name: string) => !denied.has(name);
  if (EDITING_MODES.has(mode)) return EDITORS.some(isOffered) || (mode === 'bypassPermissions' && isOffered('Bash'));
  return allow.some((text) => {
    const name = parseRule(text).rule?.toolName ?? '';
    return isOffered(name) && (EDITORS.includes(name) || (name === 'Bash' && unlimitedTool(text) === 'Bash'));
  });
}

function unlimitedTool(text: string): string | undefined {
  const { rule } = parseRule(text);
  return rule?.content === undefined ? rule?.toolName : undefined;
}
