import { hash } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { realPath } from '../../system/realPath.ts';

/** One line of a check's output, and what it is recognized by in another run. */
export interface OutputLine {
  readonly text: string;
  /** A short hash of the line without what differs from run to run; null when it names no failure. */
  readonly key: string | null;
}

/** What differs from run to run although the failure is the same, in this order. */
const VOLATILE: readonly (readonly [RegExp, string])[] = [
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, '<time>'],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?:\s?[AP]M\b)?/gi, '<time>'],
  [/(?<![\w.-])(?:\/private)?\/(?:tmp|var\/folders|var\/tmp|dev\/shm)\/[^\s'"`:,;()[\]{}<>]*/g, '<temp>'],
  [/\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, '<id>'],
  [/\b0x[0-9a-f]+\b/gi, '<address>'],
  [/\b(pid|process|port|seed)([ :=#]+)\d+\b/gi, '$1$2#'],
  [
    /(?<![\w.])\d+(?:[.,]\d+)?\s?(?:ns|[uµμ]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)(?![\w/])(?: ?\d+(?:\.\d+)?(?:ms|s|m)(?!\w))*/g,
    '<duration>',
  ],
  [/\b(duration_ms|time|elapsed)([ :=]+)\d+(?:\.\d+)?/gi, '$1$2<duration>'],
  [/\b\d+(?:\.\d+)?%/g, '#%'],
  // places in files move with every edit above them
  [/(?<=\.\w{1,5}|\/\w+|[)\]>]):\d+(?::\d+)?(?![\w.])/g, ':#'],
  [/(?<=\.\w{1,5})\(\d+,\d+\)/g, '(#)'],
  [/\b(lines?|column) \d+(?:-\d+)?\b/gi, '$1 #'],
  [
    /\b\d+(?= (?:\w+ )?(?:tests?|test files|suites?|specs?|files?|errors?|warnings?|problems?|failures?|assertions?|failed|failing|passed|passing|pending|skipped|ignored|todo|total|ok)\b)/gi,
    '#',
  ],
  [/([-=_*~─━═])\1{2,}/g, '$1$1$1'],
  [/\s+/g, ' '],
];

/** A line that reports a pass, a start or the progress of a test run. */
const PASSING =
  /^\s*(?:[✓✔√]|ok(?=\s*$|\s+\d|\s+-|\s{2})|PASS(?:ED)?\b|--- (?:PASS|SKIP)|=== (?:RUN|PAUSE|CONT|NAME)|# Subtest|\[\s*(?:OK|RUN|PASSED)\s*\]|\S+ [.FEsxX]+\s+\[ *\d+%\]$)|^(?!.*\bexpected\b).*(?:\bPASSED|\.\.\. ok)\s*(?:\[\s*\d+%\])?$/;

/** Only counts and words of totals: it changes with every test that is added. */
const TOTALS =
  /^(?!\s*(?:[✗✖✘×●]|not ok\b))(?:[^\p{L}]|\b(?:tests?|files?|suites?|specs?|snapshots?|examples?|duration|time|start|at|ran|found|run|pass(?:ed|ing)?|fail(?:ed|ing|ures?)?|errors?|warnings?|problems?|skipped|pending|ignored|todo|cancelled|total|all|in|and|of|for|duration_ms|measured|filtered|out|result)\b)+$/iu;

const LONGEST_LINE = 2_000;

/** The lines of an output. `folder`: where the check ran, which may be a copy of the project or another worktree. */
export function outputLines(output: string, folder: string): readonly OutputLine[] {
  const places = [...new Set([folder, realPath(folder)])].filter((one) => one.length > 1);
  return readable(output).map((text) => ({ text, key: keyOf(text, places) }));
}

function readable(output: string): readonly string[] {
  return (
    stripVTControlCharacters(output)
      .replaceAll('\r\n', '\n')
      .split('\n')
      .map((line) => line.trimEnd())
      // what a progress bar wrote over
      .map((line) => line.slice(line.lastIndexOf('\r') + 1))
      .filter((line) => line !== '')
  );
}

function keyOf(text: string, places: readonly string[]): string | null {
  if (PASSING.test(text)) return null;
  const line = normalLine(text, places);
  if (line === '') return null;
  // what is too long to be read still counts, as it is
  if (text.length > LONGEST_LINE) return hashOf(`${line}${text.slice(LONGEST_LINE)}`);
  return TOTALS.test(line.replaceAll(/<\w+>/g, '')) ? null : hashOf(line);
}

/** Without what differs from run to run. */
export function normalLine(text: string, places: readonly string[]): string {
  let line = text.slice(0, LONGEST_LINE);
  for (const place of places) line = line.replaceAll(place, '<folder>');
  for (const [pattern, instead] of VOLATILE) line = line.replaceAll(pattern, instead);
  return line.trim();
}

/** Hashes, since a record must not contain what a check printed. */
export const hashOf = (text: string) => hash('sha256', text).slice(0, 16);

/** What is in `now` and not in `before`, counted: a second occurrence of a known line is new. In the order of `now`. */
export const added = (before: readonly string[], now: readonly string[]): readonly string[] =>
  addedItems(before, now, (line) => line);

/** The same for items with a key. */
export function addedItems<Item>(
  before: readonly string[],
  now: readonly Item[],
  keyOf: (item: Item) => string,
): readonly Item[] {
  const left = new Map<string, number>();
  for (const one of before) left.set(one, (left.get(one) ?? 0) + 1);
  return now.filter((item) => {
    const count = left.get(keyOf(item)) ?? 0;
    left.set(keyOf(item), count - 1);
    return count <= 0;
  });
}
