import type { YamlFields, YamlProblem } from './readYaml.ts';

/** The `---` block at the top of a file for an agent, a command or a skill. It is YAML, and may be nested. */
export async function readFrontMatter(text: string): Promise<YamlFields & { readonly body: string }> {
  const match = /^\uFEFF?---[ \t]*\r?\n((?:[\s\S]*?\r?\n)?)---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text.replace(/^\uFEFF/, ''), lineOf: () => undefined };
  const body = text.slice(match[0].length);
  const block = match[1] ?? '';
  if (block.length > MAX_CHARACTERS || block.split('\n', MAX_LINES + 1).length > MAX_LINES) {
    const message = `it is longer than ${MAX_LINES} lines or ${MAX_CHARACTERS / 1000} KB`;
    return { fields: {}, body, lineOf: () => undefined, problem: { line: 1, message } };
  }
  // only files that have a block pay for the parser
  const { readYaml } = await import('./readYaml.ts');
  return { ...readYaml(block, FIRST_LINE), body };
}

/** The parser takes quadratic time on many fields. */
const MAX_CHARACTERS = 64_000;
const MAX_LINES = 1_000;

/** The block starts after its `---`. */
const FIRST_LINE = 2;

/** A field as text: lists are joined by commas; deeper values are not text. */
export function fieldText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(fieldText).filter(Boolean).join(', ');
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  return String(value);
}

/** One sentence for a person: the file, the line, what is wrong. */
export function frontMatterProblem(file: string, { line, message }: YamlProblem, effect: string): string {
  return `${file}:${line}: The front matter is not valid YAML: ${message}; ${effect}.`;
}
