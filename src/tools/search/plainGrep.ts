import { join } from 'node:path';
import picomatch from 'picomatch';
import { readByteFile } from '../../system/readTextFile.ts';
import { decodeText } from '../files/textFile.ts';
import { type GrepInput, globs } from './grepInput.ts';
import type { RipgrepEnd } from './ripgrep.ts';
import type { SearchRoot } from './searchRoot.ts';
import { WALK_NOTE, walkFiles } from './walkFiles.ts';

const MAX_FILE_BYTES = 5 * 1024 * 1024;

/** Searches like ripgrep and in its output format, as far as possible; a note lists what has no effect. */
export async function plainGrep(root: SearchRoot, input: GrepInput, signal: AbortSignal): Promise<RipgrepEnd> {
  const pattern = compile(input);
  if (typeof pattern === 'string') return { type: 'failed', message: pattern };
  const files = root.target === '.' ? await walkFiles(root.cwd, signal) : [root.target];
  const found: string[] = [];
  for (const path of files.filter(filterFor(input))) {
    if (signal.aborted) return { type: 'failed', message: 'The search was interrupted.', interrupted: true };
    const lines = await linesOf(join(root.cwd, path));
    const matches = lines.flatMap((line, i) => (pattern.test(line) ? [{ line, number: i + 1 }] : []));
    if (matches.length > 0) found.push(format(path, matches, input));
  }
  return { type: 'searched', text: found.join(''), notes: [WALK_NOTE, ...unsupported(input)] };
}

function compile({ pattern, '-i': ignoreCase }: GrepInput): RegExp | string {
  try {
    return new RegExp(pattern, ignoreCase ? 'iu' : 'u');
  } catch (error) {
    return `The search failed: ${error instanceof Error ? error.message : error}`;
  }
}

function filterFor({ glob }: GrepInput): (path: string) => boolean {
  const filters = globs(glob).map((one) => picomatch(one, { dot: true, basename: !one.includes('/') }));
  return (path) => filters.length === 0 || filters.some((fits) => fits(path));
}

async function linesOf(path: string): Promise<readonly string[]> {
  const read = await readByteFile(path, MAX_FILE_BYTES);
  if (read.type !== 'read' || read.cut || read.bytes.length === 0) return [];
  const text = decodeText(read.bytes)?.text ?? '';
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function format(path: string, matches: readonly { line: string; number: number }[], input: GrepInput): string {
  if (input.output_mode === 'count') return `${path}\0${matches.length}\n`;
  if (input.output_mode !== 'content') return `${path}\0`;
  const numbered = input['-n'] !== false;
  return matches.map(({ line, number }) => `${path}\0${numbered ? `${number}:` : ''}${line.slice(0, 500)}\n`).join('');
}

function unsupported(input: GrepInput): readonly string[] {
  const names = (['type', '-A', '-B', '-C', 'multiline'] as const).filter((name) => input[name] !== undefined);
  return names.length === 0 ? [] : [`Without ripgrep, these options have no effect: ${names.join(', ')}.`];
}
