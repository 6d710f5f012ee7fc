import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.join(import.meta.dirname, '../../src');

/**
 * Who may import whom: the table of ARCHITECTURE.md. `schemas` and `system` are open to all but `budget`; `(types)`
 * allows `import type` only. `testing` and the root `index.ts` may import anything but `cli`.
 */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  system: [],
  schemas: [],
  budget: [],
  models: [],
  store: [],
  hooks: [],
  gates: ['budget', 'hooks', 'session', 'store (types)'],
  session: ['hooks (types)', 'models (types)'],
  tools: ['session', 'hooks (types)', 'models (types)'],
  query: ['budget', 'hooks', 'gates', 'models', 'session', 'tools'],
  background: ['query', 'models', 'session'],
  fleet: ['budget', 'gates', 'store'],
  hosts: ['hooks', 'gates', 'budget', 'session'],
  server: ['store', 'fleet', 'session'],
};
const OPEN_TO_ALL = ['schemas', 'system'];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.split(path.sep).join('/'));

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : '.');

function importsOf(file: string): Import[] {
  const text = readFileSync(path.join(SRC, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?[^;'"]*?from\s+'([^']+)'/gms);
  return [...statements]
    .filter(([, , target]) => target?.startsWith('.'))
    .map(([, typeOnly, target]) => {
      const resolved = path.posix.join(path.posix.dirname(file), target as string);
      return { file, from: folderOf(file), to: folderOf(resolved), typeOnly: typeOnly !== undefined };
    });
}

function isAllowed({ file, from, to, typeOnly }: Import): boolean {
  if (from === to) return true;
  // a test may use the published doubles
  if (to === 'testing') return file.endsWith('.test.ts') || from === 'cli' || from === '.';
  if (from === 'cli') return true;
  if (from === 'testing' || from === '.') return to !== 'cli';
  if (from === 'budget') return false;
  const allowed = [...(TABLE[from] ?? []), ...OPEN_TO_ALL];
  return allowed.includes(to) || (typeOnly && allowed.includes(`${to} (types)`));
}

describe('import directions', () => {
  it('follow the table', () => {
    const broken = files
      .flatMap(importsOf)
      .filter((statement) => !isAllowed(statement))
      .map(({ file, to, typeOnly }) => `${file} imports ${typeOnly ? 'types of ' : ''}${to}`);
    expect(broken).toEqual([]);
  });

  it('cover every folder', () => {
    const folders = new Set(files.map(folderOf));
    const known = new Set([...Object.keys(TABLE), 'cli', 'testing', '.']);
    expect([...folders].filter((folder) => !known.has(folder))).toEqual([]);
  });

  it('keep budget free of Node and of time', () => {
    const budget = files.filter((file) => file.startsWith('budget/') && !file.endsWith('.test.ts'));
    const impure = budget.filter((file) =>
      /from 'node:|\bDate\.now\b|\basync\b|\bMath\.random\b/.test(readFileSync(path.join(SRC, file), 'utf8')),
    );
    expect(impure).toEqual([]);
  });

  it('knows a forbidden import when it sees one', () => {
    const wrong = (from: string, to: string, typeOnly = false) =>
      isAllowed({ file: `${from}/x.ts`, from, to, typeOnly });
    expect(wrong('hooks', 'query')).toBe(false);
    expect(wrong('session', 'models')).toBe(false);
    expect(wrong('session', 'models', true)).toBe(true);
    expect(wrong('query', 'cli')).toBe(false);
    expect(wrong('budget', 'system')).toBe(false);
  });
});
