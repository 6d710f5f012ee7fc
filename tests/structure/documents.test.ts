import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.join(import.meta.dirname, '../..');
const DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', ...globSync('docs/*.md', { cwd: ROOT })];
const FILE = /`((?:src|tests|bench|scripts|profiles|examples|docs)\/[\w./*-]+)`/g;
/** In ARCHITECTURE a path may leave out `src/` and the ending. */
const IN_SRC = /(?<=[\s`])([a-z]+(?:\/[\w-]+)+)(?=[\s`,)])/g;
const LINK = /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g;

const exists = (name: string) =>
  /NAME/.test(name) || name.includes('*')
    ? globSync(name, { cwd: ROOT }).length > 0
    : existsSync(path.join(ROOT, name));
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

it.each(DOCUMENTS)('%s names only files that exist', (document) => {
  const text = readFileSync(path.join(ROOT, document), 'utf8');
  const files = matches(text, FILE);
  const links = matches(text, LINK).map((link) => path.join(path.dirname(document), link));
  expect([...files, ...links].filter((name) => !exists(name))).toEqual([]);
});

it('ARCHITECTURE.md names only folders and files of src/ that exist', () => {
  const text = readFileSync(path.join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const folders = new Set(globSync('src/*', { cwd: ROOT }).map((name) => path.basename(name)));
  const named = matches(text, IN_SRC).filter((name) => folders.has(name.split('/')[0] ?? ''));
  expect(named.length).toBeGreaterThan(10);
  const missing = named.filter((name) => !['', '.ts', '.sql'].some((ending) => exists(`src/${name}${ending}`)));
  expect(missing).toEqual([]);
});
