import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const FILES = [
  ...globSync(['src/**/*.{ts,sql}', 'docs/*.md', 'examples/**/*.{md,ts,sh}', 'profiles/**/*.{sh,pl}'], { cwd: ROOT }),
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
];

/** Habits that are not plain American technical English, and what to write instead. */
const HABITS: readonly (readonly [RegExp, instead: string])[] = [
  [/\b(?:nobody|somebody|whoever|everybody)\b/i, 'name the actor: the caller, another process, no hook'],
  [/\b(?:comes|came) to\b(?! (?:the|a|an) (?:end|front|folder)\b)|\bwhat (?:becomes|became) of\b/i, 'result, outcome'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)/i, '"is not a …"'],
  [/\bone (?:file|line|row|object|folder|test|message) an? [a-z]/i, 'one … per …'],
  [/\bunless (?:told|named)\b/i, 'by default'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bbehind `?--/i, 'after `--`'],
  [/\bat once\b/i, 'immediately, at the same time'],
  [/\bfor ever\b/i, 'forever'],
  [/\bgets? on\b(?! with)/i, 'makes progress'],
  [/\blets? (?:it |go of |them )?go\b/i, 'release, may stop'],
  [/(?<!')\bmoments?\b/i, 'time, point in time'],
  [/\blengths? of time\b/i, 'duration'],
  [/\bwork trees?\b/i, 'worktree'],
  [/\btime-outs?\b/i, 'timeout'],
  [/\d %/, '26%'],
  [/\bcolour|\bbehaviour|\bhonour|\bfavour/i, 'American spelling'],
  [/\w+InWords\b|\bwordsOf\b|\bTelling\b|\batOnce\b/, 'formatX, describeX, Emitting, immediately'],
];

it('is plain English', () => {
  const found = FILES.flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        const habit = HABITS.find(([pattern]) => pattern.test(line));
        return habit ? [`${file}:${index + 1}: ${line.trim().slice(0, 140)} → ${habit[1]}`] : [];
      }),
  );
  expect(found).toEqual([]);
});
