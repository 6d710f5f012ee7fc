import { mayEdit } from '../../permissions/mayEdit.ts';
import { splitToolList } from '../../permissions/splitToolList.ts';

export interface ClaudeEditFacts {
  /** `permission_mode` of the hook's input. */
  readonly mode: string;
  /** Its command line; null when it cannot be read. */
  readonly args: readonly string[] | null;
  /** The `permissions` of its settings files. */
  readonly settings: readonly ClaudePermissions[];
}

export interface ClaudePermissions {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/**
 * Whether a headless Claude Code may change files. Its hooks are told the mode, but not its rules: those are on its command line and
 * in its settings files. Null when neither the mode nor the settings allow it and the command line cannot be read.
 */
export function mayClaudeEdit({ mode, args, settings }: ClaudeEditFacts): boolean | null {
  const words = args ?? [];
  const rules = (...names: readonly string[]) => splitToolList(valuesOf(words, names).join(' '));
  const facts = {
    mode,
    allow: [...settings.flatMap(({ allow }) => allow), ...rules('--allowedTools', '--allowed-tools')],
    deny: [...settings.flatMap(({ deny }) => deny), ...rules('--disallowedTools', '--disallowed-tools')],
  };
  const tools = words.some((word) => /^--tools(?:=|$)/.test(word)) ? rules('--tools') : ['default'];
  // it names the tools that are built in; those of MCP servers stay
  if (!tools.some((tool) => ABLE.has(tool)))
    return mayEdit({ ...facts, mode: 'default', allow: facts.allow.filter((rule) => rule.startsWith('mcp__')) });
  // the program that started it answers what it asks
  const isAnswered = words.some((word) => /^--permission-prompt-tool(?:=|$)/.test(word));
  if (isAnswered || mayEdit(facts)) return true;
  return args === null ? null : false;
}

/** Of `--tools`, which names all that it has. */
const ABLE = new Set(['default', 'Edit', 'Write', 'NotebookEdit', 'Bash']);

/** `--flag value…` and `--flag=value`; a list goes on until the next flag. */
export function valuesOf(words: readonly string[], names: readonly string[]): readonly string[] {
  const values: string[] = [];
  let isInside = false;
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    if (word.startsWith('-')) {
      isInside = names.includes(word);
      if (names.includes(name) && rest.length > 0) values.push(rest.join('='));
    } else if (isInside) values.push(word);
  }
  return values;
}
