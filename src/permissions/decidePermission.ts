import type { Judge, Restriction } from './judge.ts';
import { judgeCommand } from './judgeCommand.ts';
import { judgeFree, judgeOther } from './judgeName.ts';
import { judgeEdit, judgeRead } from './judgePath.ts';
import { compileRules } from './parseRule.ts';
import { KIND_NAMES } from './toolMatches.ts';
import type { PermissionDecision, PermissionFacts, PermissionRequest } from './types.ts';

const JUDGES: { readonly [Type in PermissionRequest['type']]: Judge<Type> } = {
  free: judgeFree,
  read: judgeRead,
  edit: judgeEdit,
  command: judgeCommand,
  other: judgeOther,
};

/**
 * May this call run? Deny rules first, then ask rules, in every mode; then what the mode allows, then allow rules.
 * Every refusal is one sentence for the agent and the person: which rule, about what, and what would allow it.
 */
export function decidePermission(facts: PermissionFacts): PermissionDecision {
  const judge = judgeOf(facts);
  const rules = compileRules(facts.rules);
  const denied = judge.restriction(rules.deny, facts);
  if (denied) return { type: 'deny', reason: REASONS.denied(denied) };
  const asked = judge.restriction(rules.ask, facts);
  if (asked) return ask(facts, REASONS.asked(asked), true);
  const gate = judge.gatePath?.(rules.allow, facts);
  if (gate !== undefined) return { type: 'deny', reason: REASONS.gate(gate) };
  if (facts.mode === 'bypassPermissions') return { type: 'allow', reason: 'permissions are bypassed' };
  const standing = judge.standing(facts);
  if (standing.type === 'harmless') return { type: 'allow', reason: 'it changes nothing and stays inside' };
  const what = excerpt(judge.describe(facts));
  if (facts.mode === 'plan' && facts.request.type !== 'read') return { type: 'deny', reason: REASONS.plan(what) };
  const guarded = judge.guarded?.(rules.allow, facts);
  if (guarded !== undefined) {
    return ask(facts, needsPermission(what, guarded, advice(judge.suggestion(facts), facts)), true);
  }
  const allowed = judge.allowance(rules.allow, facts);
  if (allowed !== undefined) return { type: 'allow', reason: allowed };
  if (facts.sandboxed) return { type: 'allow', reason: 'it runs in the sandbox' };
  if (facts.mode === 'acceptEdits' && standing.type === 'edit') return { type: 'allow', reason: 'edits are accepted' };
  const suggestion = judge.suggestion(facts);
  const question = ask(facts, needsPermission(what, standing.needed, advice(suggestion, facts)), false);
  return question.type === 'ask' && suggestion.length > 0 ? { ...question, suggestion } : question;
}

/** Whether a deny rule forbids the call; what every agent must not change, whatever the rules, does not count here. */
export const isDeniedByRule = (facts: PermissionFacts): boolean =>
  judgeOf(facts).restriction(compileRules(facts.rules).deny, facts) !== undefined;

// The table pairs each request with the judge of its own type; TypeScript cannot follow that through the lookup.
const judgeOf = (facts: PermissionFacts) => JUDGES[facts.request.type] as Judge<PermissionRequest['type']>;

function needsPermission(what: string, needed: string, advice: string): string {
  return `${what} needs permission: ${excerpt(needed)}. To allow it, ${advice}.`;
}

function advice(rules: readonly string[], { toolName, request }: PermissionFacts): string {
  const ways = (rule: string, note = '') =>
    `add ${rule}${note} to permissions.allow in a settings file or pass --allowedTools "${rule}"`;
  if (rules.length > 0) return ways(rules.join(','));
  return ways(
    KIND_NAMES[request.type] ?? toolName,
    ' (no narrower rule can be written for it; this one allows every call)',
  );
}

function ask(facts: PermissionFacts, reason: string, byRule: boolean): PermissionDecision {
  if (facts.mode === 'dontAsk') return { type: 'deny', reason: `${reason} In dontAsk mode there is no question.` };
  return { type: 'ask', reason, ...(byRule ? { byRule } : {}) };
}

const REASONS = {
  denied: ({ rule, about }: Restriction) =>
    `The deny rule "${excerpt(rule.text)}" forbids ${excerpt(about)}. Do it another way, or have the rule changed.`,
  gate: (path: string) =>
    `${whyGateFile(path)} in any mode. A person can change it, or allow it with a rule that names the file.`,
  asked: ({ rule, about }: Restriction) =>
    `The ask rule "${excerpt(rule.text)}" wants a person to confirm ${excerpt(about)}. To run it unattended, remove that rule from permissions.ask.`,
  plan: (what: string) =>
    `${what} is not allowed in plan mode, where only reading is. Finish the plan first; the mode is set by --permission-mode or permissions.defaultMode.`,
};

const whyGateFile = (path: string) =>
  `${excerpt(path)} decides when this agent may stop, so the agent does not change it`;

/** For a host's own permissions, whose rules are not read here: why its agent must not make this call; undefined if it may. */
export function gateFileDenial(facts: Omit<PermissionFacts, 'mode' | 'rules'>): string | undefined {
  const all: PermissionFacts = { ...facts, mode: 'default', rules: { allow: [], ask: [], deny: [] } };
  const path = judgeOf(all).gatePath?.([], all);
  return path === undefined ? undefined : `${whyGateFile(path)}. A person can change it.`;
}

/** One line, of a length that can be read. */
function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}
