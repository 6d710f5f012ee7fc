import type { ToolUseBlock } from '../../models/types.ts';

const VERBS: Readonly<Record<string, readonly [verb: string, one: string, many: string]>> = {
  Bash: ['ran', 'command', 'commands'],
  Read: ['read', 'file', 'files'],
  Write: ['wrote', 'file', 'files'],
  Edit: ['made', 'edit', 'edits'],
  Glob: ['listed files', 'time', 'times'],
  Grep: ['searched', 'time', 'times'],
  Agent: ['ran', 'subagent', 'subagents'],
};

/** What a round of calls did, in a few words: `ran 2 commands, read 1 file`. No model is asked. */
export function toolUseSummary(calls: readonly Pick<ToolUseBlock, 'name'>[]): string {
  const [only] = calls;
  if (only && calls.length === 1) return ofOne(only.name);
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => phrase(name, count)).join(', ');
}

const known = new Map<string, string>();

/** By far the usual round, and always said the same way. */
function ofOne(name: string): string {
  const text = known.get(name) ?? phrase(name, 1);
  if (known.size < 100) known.set(name, text);
  return text;
}

function phrase(name: string, count: number): string {
  const [verb, one, many] = (Object.hasOwn(VERBS, name) ? VERBS[name] : undefined) ?? [`used ${name}`, 'time', 'times'];
  return `${verb} ${count} ${count === 1 ? one : many}`;
}
