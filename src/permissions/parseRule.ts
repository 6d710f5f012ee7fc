import { perObject } from '../system/perObject.ts';
import type { PermissionRules } from './types.ts';

/** One permission rule, `Tool` or `Tool(content)`. */
export interface Rule {
  /** As the person wrote it: what a sentence quotes. */
  readonly text: string;
  readonly toolName: string;
  /** What stands in the parentheses; absent when the rule is about every call of the tool. */
  readonly content?: string;
}

/** `problem` without `rule`: the text is not a rule. With it: the rule holds as read, but is likely not what was meant. */
export interface ParsedRule {
  readonly rule?: Rule;
  readonly problem?: string;
}

const BUILT_IN_TOOLS: readonly string[] = [
  ...['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Glob', 'Grep', 'WebFetch', 'WebSearch'],
  ...['Agent', 'Task', 'TaskCreate', 'TaskUpdate', 'TaskList', 'TaskGet'],
];

const MAX_RULE_LENGTH = 2000;

/** Reads one rule; never throws. Parentheses inside the content belong to it: the last one closes the rule. */
export function parseRule(text: string): ParsedRule {
  const trimmed = text.trim();
  if (trimmed.length > MAX_RULE_LENGTH) return bad(trimmed, `is longer than ${MAX_RULE_LENGTH} characters`);
  const match = /^([^\s()]+)(?:\(([\s\S]*)\))?$/.exec(trimmed);
  if (!match?.[1]) return bad(trimmed, 'is not a rule: write `Tool` or `Tool(what it may do)`');
  const toolName = match[1];
  const content = match[2]?.trim();
  const rule: Rule = { text: trimmed, toolName, ...(isEverything(content) ? {} : { content }) };
  const hint = nearMiss(toolName) ?? tooComplex(rule);
  return hint === undefined ? { rule } : { rule, problem: `${quote(trimmed)} ${hint}` };
}

/** The built-in tool that a name differs from in upper and lower case only. */
export function builtInNamed(toolName: string): string | undefined {
  const lower = toolName.toLowerCase();
  return BUILT_IN_TOOLS.find((name) => name.toLowerCase() === lower);
}

function isEverything(content: string | undefined): content is undefined {
  return content === undefined || content === '' || content === '*' || content === ':*';
}

function nearMiss(toolName: string): string | undefined {
  const meant = builtInNamed(toolName);
  if (meant === undefined || meant === toolName) return undefined;
  return `names no tool: write ${meant} (as a deny or ask rule it is held for ${meant}, as an allow rule it allows nothing)`;
}

/** Each run of stars multiplies what a matcher may try; a repository's rule must not be able to hang us. */
function tooComplex({ toolName, content }: Rule): string | undefined {
  if (toolName === 'Bash' || content === undefined || !isTooComplexPath(content)) return undefined;
  return 'has too many wildcards for a path and matches nothing: use at most three in a row of names';
}

export function isTooComplexPath(pattern: string): boolean {
  const segments = pattern.split('/');
  const deep = segments.filter((segment) => segment === '**').length;
  return deep > 3 || segments.some((segment) => (segment.match(/\*+/g)?.length ?? 0) > 3);
}

function bad(text: string, why: string): ParsedRule {
  return { problem: `${quote(text)} ${why}; it is ignored` };
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}

/** Rules read once for as long as the same rules are asked; texts that are no rules are left out here, told elsewhere. */
export const compileRules = perObject(({ allow, ask, deny }: PermissionRules) => ({
  allow: read(allow),
  ask: read(ask),
  deny: read(deny),
}));

function read(texts: readonly string[]): readonly Rule[] {
  return texts.flatMap((text) => parseRule(text).rule ?? []);
}
