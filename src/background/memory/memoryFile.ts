import { hash } from 'node:crypto';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { type MemoryFrontMatter, memoryFrontMatter } from '../../schemas/memory.ts';

/** One remembered fact. */
export interface Memory extends MemoryFrontMatter {
  readonly content: string;
}

/** The order of the front matter. */
const FIELDS = ['name', 'description', 'type', 'created', 'updated', 'session', 'evidence', 'quote'] as const;

export function memoryText(memory: Memory): string {
  const lines = FIELDS.flatMap((field) => {
    const value = memory[field];
    return value === undefined || value === '' ? [] : [`${field}: ${scalar(value)}`];
  });
  return `---\n${lines.join('\n')}\n---\n\n${memory.content.trim()}\n`;
}

/** Plain if possible; a value that YAML would misread is quoted as JSON, which YAML reads too. */
function scalar(value: string): string {
  return /^[A-Za-z0-9][\w ./()'’-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|[\d.]+)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

/** Undefined when the text is not a memory, so that other files are ignored. */
export function readMemory(text: string): Memory | undefined {
  const parts = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/.exec(text);
  if (!parts) return undefined;
  const [, front = '', content = ''] = parts;
  const fields = front.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    return colon > 0 ? [[line.slice(0, colon).trim(), unquoted(line.slice(colon + 1).trim())]] : [];
  });
  const parsed = memoryFrontMatter.safeParse(Object.fromEntries(fields));
  return parsed.success ? { ...parsed.data, content: content.trim() } : undefined;
}

function unquoted(value: string): string {
  if (!value.startsWith('"')) return value.replace(/^'(.*)'$/, '$1');
  const read = jsonValue(value);
  return typeof read === 'string' ? read : value;
}

/** The same for two texts that differ only in spacing, case or punctuation. */
export function contentDigest(content: string): string {
  const words = content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return hash('sha256', words.join(' '));
}
