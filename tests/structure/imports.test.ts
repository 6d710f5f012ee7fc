import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = path.join(import.meta.dirname, '../../src');
/** Every folder outside `cli`. */
const ANY = '*';

/**
 * Who may import whom: the table of ARCHITECTURE.md. `schemas` and `system` are open to all but `budget`; `(types)`
 * allows `import type` only. `testing` and the root `index.ts` may import anything but `cli`.
 */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  system: [],
  schemas: [],
  budget: [],
  git: [],
  models: [],
  store: [],
  hooks: [],
  permissions: [],
  session: ['permissions', 'hooks (types)', 'models (types)'],
  tools: ['session', 'permissions', 'git', 'hooks (types)', 'models (types)'],
  query: ['budget', 'hooks', 'models', 'permissions', 'session', 'tools'],
  background: ['query', 'models', 'session'],
  fleet: ['budget', 'git', 'store'],
  team: ['session', 'store'],
  stop: ['budget', 'fleet', 'git', 'hooks', 'permissions', 'session', 'store'],
  hosts: ['budget', 'fleet', 'git', 'hooks', 'models (types)', 'permissions', 'session', 'stop'],
  launch: ['budget', 'fleet', 'git', 'hosts', 'models', 'query (types)', 'session', 'stop', 'store'],
  gate: ['budget', 'query', 'session', 'stop'],
  adapters: ['gate'],
  server: ['store', 'fleet', 'session'],
  // the three rooms of the command line
  'cli/commands': ['cli/wiring', 'cli/output', ANY],
  'cli/wiring': [ANY],
  'cli/output': [],
  // the entry: it loads commands
  cli: ['cli/commands', 'cli/wiring', 'cli/output', ANY],
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

function folderOf(file: string): string {
  const [first = '.', second, ...rest] = file.split('/');
  if (second === undefined) return '.';
  return first === 'cli' && rest.length > 0 ? `cli/${second}` : first;
}

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
  const isOfCli = to === 'cli' || to.startsWith('cli/');
  // a test may use the helpers of `tests/support` and the published doubles
  if (to === '..') return file.endsWith('.test.ts');
  if (to === 'testing') return file.endsWith('.test.ts') || from.startsWith('cli') || from === '.';
  if (from === 'testing' || from === '.') return !isOfCli;
  if (from === 'budget') return false;
  const allowed = [...(TABLE[from] ?? []), ...OPEN_TO_ALL];
  if (allowed.includes(ANY) && !isOfCli) return true;
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
    const known = new Set([...Object.keys(TABLE), 'testing', '.']);
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
    expect(wrong('query', 'cli/wiring')).toBe(false);
    expect(wrong('cli/wiring', 'cli/commands')).toBe(false);
    expect(wrong('cli/output', 'session')).toBe(false);
    expect(wrong('stop', 'hosts')).toBe(false);
    expect(wrong('budget', 'system')).toBe(false);
  });
});
