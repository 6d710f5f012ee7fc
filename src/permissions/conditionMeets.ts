import { ownValue } from '../system/ownValue.ts';
import { isDeniedByRule } from './decidePermission.ts';
import { parseRule, type Rule } from './parseRule.ts';
import { findCommands } from './shell/findCommands.ts';
import { FORMER_NAMES } from './toolMatches.ts';
import type { PermissionFacts } from './types.ts';

/**
 * Whether one call meets a hook's `if`. The rule must name the tool exactly: `bash(…)` and `*` meet nothing, `Edit(…)` no
 * Write.
 * For the rest it is asked the way a deny rule is, so that every part of a compound command is looked at. A command that
 * is put together while it runs is `unclear`, and an unclear one lets the hook run: a gate that is asked once too often
 * costs a process, one that is not asked is walked around.
 */
export function conditionMeets(condition: string, call: Omit<PermissionFacts, 'mode' | 'rules'>): boolean | 'unclear' {
  const { rule } = parseRule(condition);
  if (rule === undefined || !namesTool(rule, call.toolName)) return false;
  if (rule.content !== undefined && call.request.type === 'command' && isPutTogether(call.request.command))
    return 'unclear';
  const rules = { allow: [], ask: [], deny: [condition] };
  return isDeniedByRule({ ...call, mode: 'bypassPermissions', rules });
}

function namesTool({ toolName: named }: Rule, toolName: string): boolean {
  if (named === toolName || ownValue(FORMER_NAMES, named) === toolName) return true;
  if (!named.startsWith('mcp__')) return false;
  return named.endsWith('*') ? toolName.startsWith(named.slice(0, -1)) : toolName.startsWith(`${named}__`);
}

/** Syntax after which a command is not the words that stand there. Measured: each of these meets every `Bash(…)`. */
const EXPANSION = /\$[({']|`|[<>]\(/;
const HEREDOC = /(?<!<)<<(?!<)/;
const COMPOUND = /(?:^|[;&|(\n]|\b(?:do|then|else)\s)\s*(?:for|case|select|until|function|coproc|\{)\s/;

function isPutTogether(command: string): boolean {
  const { bare, quoted } = withoutQuotes(command);
  if (EXPANSION.test(bare) || EXPANSION.test(quoted) || HEREDOC.test(bare) || COMPOUND.test(bare)) return true;
  return findCommands(command).unclear !== undefined;
}

/** What bash expands: `bare` outside all quotes, `quoted` inside double ones. Escaped characters are left out. */
function withoutQuotes(command: string): { readonly bare: string; readonly quoted: string } {
  let bare = '';
  let quoted = '';
  let inDouble = false;
  for (let at = 0; at < command.length; at++) {
    const char = command[at] ?? '';
    if (char === '\\') at++;
    else if (char === '"') inDouble = !inDouble;
    else if (inDouble) quoted += char;
    else if (char !== "'") bare += char;
    else if (command[at - 1] === '$') return { bare: "$'", quoted };
    else at = closing(command, at);
  }
  return { bare, quoted };
}

function closing(command: string, from: number): number {
  const end = command.indexOf("'", from + 1);
  return end < 0 ? command.length : end;
}
