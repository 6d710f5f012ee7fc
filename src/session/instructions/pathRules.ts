import { relative, sep } from 'node:path';
import picomatch from 'picomatch';
import { frontMatterProblem, readFrontMatter } from '../frontMatter.ts';
import type { PathRule } from './instructionFile.ts';

const MAX_GLOBS = 100;
const MAX_GLOB_LENGTH = 300;

interface ReadRule {
  /** Without the block at its top. */
  readonly body: string;
  /** Undefined for a rule that always holds. */
  readonly globs: readonly string[] | undefined;
  readonly problem?: string;
}

/** Reads a rule's front matter: `paths` is a list of patterns, or one line of them with commas between. */
export async function readRule(path: string, content: string): Promise<ReadRule> {
  const { fields, body: text, problem } = await readFrontMatter(content);
  const body = text.trim();
  if (problem) {
    return { body, globs: undefined, problem: frontMatterProblem(path, problem, 'the rule holds for all files') };
  }
  const globs = patternsIn(fields.paths);
  if (globs.length === 0) return { body, globs: undefined };
  const usable = globs.filter((glob) => glob.length <= MAX_GLOB_LENGTH).slice(0, MAX_GLOBS);
  if (usable.length === globs.length) return { body, globs };
  const sentence = `${path}: ${globs.length - usable.length} of its paths are left out: at most ${MAX_GLOBS} of ${MAX_GLOB_LENGTH} characters are used.`;
  return { body, globs: usable, problem: sentence };
}

function patternsIn(paths: unknown): string[] {
  const list: unknown[] = typeof paths === 'string' ? outsideBraces(paths) : Array.isArray(paths) ? paths : [];
  const globs = list.flatMap((glob) => (typeof glob === 'string' && glob.trim() !== '' ? [glob.trim()] : []));
  return globs.flatMap(withoutBraces);
}

/** One pattern for each alternative, as InstructionsLoaded hooks see them; a pattern with too many stays as it is. */
function withoutBraces(glob: string): string[] {
  let patterns = [glob];
  for (;;) {
    const next = [...new Set(patterns.flatMap(firstAlternatives))];
    if (next.length === patterns.length) return patterns;
    if (next.length > MAX_GLOBS) return [glob];
    patterns = next;
  }
}

/** Of the innermost first `{a,b}`. */
function firstAlternatives(glob: string): string[] {
  const found = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(glob);
  if (!found) return [glob];
  const [, before = '', inner = '', after = ''] = found;
  return inner.split(',').map((one) => `${before}${one}${after}`);
}

/** Parts between commas, where a comma in braces is part of a pattern. */
function outsideBraces(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (letter === ',' && depth <= 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts;
}

/** Whether a rule holds for a file, by its absolute path. */
export function ruleMatcher({ root, globs }: PathRule): (file: string) => boolean {
  const fits = picomatch([...globs], { dot: true });
  return (file) => {
    const inside = relative(root, file);
    return inside !== '' && !inside.startsWith('..') && fits(inside.split(sep).join('/'));
  };
}
