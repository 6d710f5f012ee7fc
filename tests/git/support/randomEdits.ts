import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { GitRepository } from '../../support/gitRepository.ts';

// few names, so that edits meet: files that become folders, names with odd bytes
const NAMES = ['a', 'a/b', 'a/b/c', 'd e.txt', 'd/ü\n"x', 'ignored/f', 'z.txt', 'Z.bin'];
const BYTES = Buffer.from('caf\xe9', 'latin1');

/** What makes git store other bytes than a file has, or read more of it than its name. */
const ATTRIBUTES = ['* text=auto\n', '*.txt text eol=crlf\n', '*.txt ident\n', '*.txt filter=loud\n', '* -text\n'];
const MODES = [0o600, 0o644, 0o755, 0o700, 0o640];

export type Edit =
  | { readonly type: 'write' | 'link'; readonly name: string; readonly content: number }
  | { readonly type: 'remove' | 'add' | 'folder' | 'dropAndIgnore'; readonly name: string }
  | { readonly type: 'chmod'; readonly name: string; readonly mode: number }
  | { readonly type: 'rename'; readonly name: string; readonly to: string }
  | { readonly type: 'bytes'; readonly content: number }
  | { readonly type: 'attributes'; readonly text: string }
  | { readonly type: 'commit' | 'unstage' };

const name = fc.constantFrom(...NAMES);
const content = fc.integer({ min: 0, max: 9 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('write' as const), name, content }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('link' as const), name, content }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('remove', 'add', 'folder', 'dropAndIgnore'), name }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('chmod' as const), name, mode: fc.constantFrom(...MODES) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('rename' as const), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('bytes' as const), content }) },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('attributes' as const), text: fc.constantFrom(...ATTRIBUTES) }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constantFrom('commit', 'unstage') }) },
);

export const edits = (minLength: number): fc.Arbitrary<readonly Edit[]> =>
  fc.array(edit, { minLength, maxLength: 10, size: 'max' });

/** Also what conversions change: line ends of both kinds, `$Id$`, small letters. */
const text = (number: number) => {
  if (number === 0) return '';
  if (number === 5) return 'one\ntwo\n';
  if (number === 6) return 'one\r\ntwo\r\n';
  if (number === 7) return 'one\ntwo\r\n';
  if (number === 8) return '$Id$ x\n';
  if (number === 9) return '$Id: mine $ x\n';
  return number > 3 ? `plain ${number}\n` : `${'x\0y\n'.repeat(number)}content ${number}\n`;
};

/** A filter that loses which letters were small. */
export function setUp({ git }: GitRepository): void {
  git('config', 'filter.loud.clean', 'tr a-z A-Z');
  git('config', 'core.safecrlf', 'false');
}

/** Makes room as a person would: whatever is in the way goes first. */
function clear(path: string, top: string): void {
  for (let at = dirname(path); at.length > top.length; at = dirname(at)) {
    if (entryAt(at) && !lstatSync(at).isDirectory()) rmSync(at);
  }
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
}

function entryAt(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

const isInside = (top: string, at: string) => {
  for (let above = dirname(join(top, at)); above.length > top.length; above = dirname(above)) {
    if (!entryAt(above)?.isDirectory()) return false;
  }
  return true;
};

/** The quoting that makes a name a rule of its own. */
const rule = (at: string) => `/${at.replaceAll(/[\n"].*$/gs, '*').replaceAll(' ', '\\ ')}\n`;

const EDITS: {
  readonly [Type in Edit['type']]: (repository: GitRepository, edit: Extract<Edit, { type: Type }>) => void;
} = {
  write: ({ path }, { name: at, content: what }) => {
    clear(join(path, at), path);
    writeFileSync(join(path, at), text(what));
  },
  link: ({ path }, { name: at, content: what }) => {
    clear(join(path, at), path);
    symlinkSync(`target ${what}`, join(path, at));
  },
  remove: ({ path }, { name: at }) => {
    if (isInside(path, at)) rmSync(join(path, at), { recursive: true, force: true });
  },
  chmod: ({ path }, { name: at, mode }) => {
    if (isInside(path, at) && entryAt(join(path, at))?.isFile()) chmodSync(join(path, at), mode);
  },
  add: ({ path, git }, { name: at }) => {
    if (isInside(path, at) && entryAt(join(path, at))) git('add', '--force', '--', at);
  },
  folder: ({ path }, { name: at }) => {
    clear(join(path, at), path);
    mkdirSync(join(path, at));
  },
  dropAndIgnore: ({ path, git }, { name: at }) => {
    if (!isInside(path, at)) return;
    git('rm', '-r', '--force', '--quiet', '--cached', '--ignore-unmatch', '--', at);
    const file = join(path, '.gitignore');
    writeFileSync(file, `${entryAt(file) ? readFileSync(file, 'utf8') : ''}${rule(at)}`);
  },
  rename: ({ path }, { name: at, to }) => {
    const [from, target] = [join(path, at), join(path, to)];
    if (!isInside(path, at) || !entryAt(from) || `${to}/`.startsWith(`${at}/`) || `${at}/`.startsWith(`${to}/`)) return;
    clear(target, path);
    if (entryAt(from)) renameSync(from, target);
  },
  bytes: ({ path }, { content: what }) => writeFileSync(Buffer.concat([Buffer.from(`${path}/`), BYTES]), text(what)),
  attributes: ({ write }, { text: rules }) => {
    write('.gitattributes', rules);
  },
  commit: ({ git }) => {
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', 'commit');
  },
  unstage: ({ git }) => {
    git('reset', '--quiet');
  },
};

export const carryOut = (repository: GitRepository, all: readonly Edit[]): void => {
  for (const one of all) (EDITS[one.type] as (r: GitRepository, e: Edit) => void)(repository, one);
};
