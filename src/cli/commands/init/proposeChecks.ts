import { existsSync } from 'node:fs';
import path from 'node:path';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { packageScripts } from '../../../schemas/packageScripts.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';

/** A check in `stopgate.config.json`. */
export interface ProposedCheck {
  readonly name: string;
  readonly command: string;
  readonly timeout: string;
}

export interface FolderFacts {
  has(file: string): boolean;
  /** Undefined when it does not exist or cannot be read. */
  read(file: string): string | undefined;
}

type Finder = (folder: FolderFacts) => readonly Omit<ProposedCheck, 'timeout'>[];

const SCRIPTS = ['test', 'lint', 'typecheck'];
const RUNNERS: readonly (readonly [lockFile: string, run: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

/** One finder per tool. */
const FINDERS: readonly Finder[] = [nodeScripts, makeTarget, pytest, rust, go];
const TIMEOUT = '10m';

/** The checks that the files in a folder suggest. */
export function proposeChecks(folder: FolderFacts): readonly ProposedCheck[] {
  return FINDERS.flatMap((find) => find(folder)).map((check) => ({ ...check, timeout: TIMEOUT }));
}

function nodeScripts(folder: FolderFacts): ReturnType<Finder> {
  const scripts = parsed(folder.read('package.json'))?.scripts ?? {};
  const run = RUNNERS.find(([lockFile]) => folder.has(lockFile))?.[1] ?? 'npm run';
  return SCRIPTS.filter((name) => isReal(scripts[name])).map((name) => ({
    name,
    command: `${run} ${name}`.replace(/^npm run test$/, 'npm test'),
  }));
}

/** `npm init` writes a test script that only fails. */
const isReal = (script: string | undefined) => Boolean(script) && !script?.includes('no test specified');

function parsed(text: string | undefined) {
  return packageScripts.safeParse(jsonValue(text ?? '')).data;
}

function makeTarget(folder: FolderFacts): ReturnType<Finder> {
  const text = folder.read('Makefile') ?? folder.read('makefile') ?? folder.read('GNUmakefile') ?? '';
  return /^test\s*:(?!=)/m.test(text) ? [{ name: 'make test', command: 'make test' }] : [];
}

function pytest(folder: FolderFacts): ReturnType<Finder> {
  const named = [folder.read('pyproject.toml'), folder.read('setup.cfg'), folder.read('tox.ini')];
  const found = folder.has('pytest.ini') || folder.has('conftest.py') || named.some((text) => text?.includes('pytest'));
  return found ? [{ name: 'pytest', command: 'python -m pytest -q' }] : [];
}

function rust(folder: FolderFacts): ReturnType<Finder> {
  return folder.has('Cargo.toml') ? [{ name: 'cargo test', command: 'cargo test' }] : [];
}

function go(folder: FolderFacts): ReturnType<Finder> {
  return folder.has('go.mod') ? [{ name: 'go test', command: 'go test ./...' }] : [];
}

/** No such file written by hand is larger. */
const LARGEST_BYTES = 2_000_000;

/** Warns about a file that exists and cannot be read. */
export function folderOnDisk(folder: string, warn: (sentence: string) => void): FolderFacts {
  return {
    has: (file) => existsSync(path.join(folder, file)),
    read: (file) => {
      const read = readTextFileSync(path.join(folder, file), LARGEST_BYTES);
      if (read.type === 'unreadable') warn(`${file} was not read: ${read.message}.`);
      if (read.type === 'read' && read.cut) warn(`${file} was not read: it is larger than 2 MB.`);
      return read.type === 'read' && !read.cut ? read.text : undefined;
    },
  };
}
