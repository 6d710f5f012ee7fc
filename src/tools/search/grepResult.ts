import { boundText } from '../boundText.ts';
import type { GrepInput } from './grepInput.ts';

const DEFAULT_LIMIT = 250;
const MAX_CHARACTERS = 30_000;

/** The requested part of the entries. */
function page(entries: readonly string[], { head_limit, offset = 0 }: GrepInput) {
  const limit = head_limit === 0 ? entries.length : (head_limit ?? DEFAULT_LIMIT);
  const shown = entries.slice(offset, offset + limit);
  const isCut = offset + shown.length < entries.length;
  const from = offset > 0 ? ` from ${offset + 1}` : '';
  const note = `${shown.length} of ${entries.length} are shown${from}. Continue with offset ${offset + shown.length}, or narrow the search.`;
  return { shown, notes: isCut ? [note] : [], cut: isCut ? { appliedLimit: limit } : {} };
}

export function showFiles(files: readonly string[], input: GrepInput) {
  const { shown, notes, cut } = page(files, input);
  const heading = `Found ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  const content = files.length === 0 ? 'No files found' : [heading, ...shown, ...notes].join('\n');
  const output = { mode: 'files_with_matches', filenames: shown, numFiles: shown.length, totalFiles: files.length };
  return { output: { ...output, ...cut }, content };
}

export function showLines(lines: readonly string[], input: GrepInput) {
  const { shown, notes, cut } = page(lines, input);
  const { text, cutCharacters } = boundText(shown.join('\n'), MAX_CHARACTERS);
  if (cutCharacters > 0) notes.push(`${cutCharacters} characters in the middle were left out. Narrow the search.`);
  const counts = { numLines: shown.length, totalLines: lines.length };
  return {
    output: { mode: 'content', filenames: [], numFiles: 0, content: text, ...counts, ...cut },
    content: lines.length === 0 ? 'No matches found' : [text, ...notes].join('\n'),
  };
}

export function showCounts(counts: readonly { path: string; count: number }[], input: GrepInput) {
  const entries = counts.map(({ path, count }) => `${path}:${count}`);
  const { shown, notes, cut } = page(entries, input);
  const numMatches = counts.reduce((sum, { count }) => sum + count, 0);
  const text = shown.join('\n');
  const occurrences = numMatches === 1 ? 'occurrence' : 'occurrences';
  const files = counts.length === 1 ? 'file' : 'files';
  const total = `\nFound ${numMatches} total ${occurrences} across ${counts.length} ${files}.`;
  return {
    output: { mode: 'count', filenames: [], numFiles: counts.length, content: text, numMatches, ...cut },
    content: counts.length === 0 ? 'No matches found' : [text, ...notes, total].join('\n'),
  };
}
