import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SRC = path.join(import.meta.dirname, '../../src');
const TABLE = /^(?:export )?const ([A-Z][A-Z_]+): (?:Readonly<)?(?:Partial<)?Record<string/gm;

/** Places that look up a name in a table without asking whether the table itself has it. */
function bareLookups(file: string): readonly string[] {
  const text = readFileSync(path.join(SRC, file), 'utf8');
  const tables = [...text.matchAll(TABLE)].map(([, name = '']) => name);
  return text.split('\n').flatMap((line, at) =>
    tables
      .filter((name) => new RegExp(`(?<![\\w.])${name}\\[(?!['"\\d])`).test(line))
      .filter((name) => !line.includes(`Object.hasOwn(${name},`))
      .map((name) => `${file}:${at + 1} ${name}`),
  );
}

it('asks a table for its own names only: every object also has toString and constructor', () => {
  const files = globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.flatMap(bareLookups)).toEqual([]);
});
