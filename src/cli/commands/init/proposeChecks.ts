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
  readonly has: (file: string) => boolean;
  /** Undefined when it does not exist or cannot be read. */
  readonly read: (file: string) => string | undefined;
}

const SCRIPTS = ['test', 'lint', 'typecheck'];
const RUNNERS: readonly (readonly [lockFile: string, run: string])[] = [
  ['pnpm-lock.yaml', 'pnpm run'],
  ['yarn.lock', 'yarn run'],
  ['bun.lock', 'bun run'],
  ['bun.lockb', 'bun run'],
];

interface Tool {
  readonly name: string;
  readonly command: string;
  readonly isUsed: (folder: FolderFacts) => boolean;
}

const TOOLS: readonly Tool[] = [
  { name: 'make test', command: 'make test', isUsed: hasTestTarget },
  { name: 'pytest', command: 'python -m pytest -q', isUsed: usesPytest },
  { name: 'cargo test', command: 'cargo test', isUsed: ({ has }) => has('Cargo.toml') },
  { name: 'go test', command: 'go test ./...', isUsed: ({ has }) => has('go.mod') },
];
const TIMEOUT = '10m';

/** The checks that the files in a folder suggest. */
export function proposeChecks(folder: FolderFacts): readonly ProposedCheck[] {
  const found = [...nodeScripts(folder), ...TOOLS.filter(({ isUsed }) => isUsed(folder))];
  return found.map(({ name, command }) => ({ name, command, timeout: TIMEOUT }));
}

function nodeScripts(folder: FolderFacts) {
  const scripts = packageScripts.safeParse(jsonValue(folder.read('package.json') ?? '')).data?.scripts ?? {};
  const run = RUNNERS.find(([lockFile]) => folder.has(lockFile))?.[1] ?? 'npm run';
  return SCRIPTS.filter((name) => isReal(scripts[name])).map((name) => ({
    name,
    command: `${run} ${name}`.replace(/^npm run test$/, 'npm test'),
  }));
}

/** `npm init` writes a test script that only fails. */
const isReal = (script: string | undefined) => Boolean(script) && !script?.includes('no test specified');

function hasTestTarget({ read }: FolderFacts): boolean {
  return /^test\s*:(?!=)/m.test(read('Makefile') ?? read('makefile') ?? read('GNUmakefile') ?? '');
}

function usesPytest({ has, read }: FolderFacts): boolean {
  const named = ['pyproject.toml', 'setup.cfg', 'tox.ini'].map(read);
  return has('pytest.ini') || has('conftest.py') || named.some((text) => text?.includes('pytest'));
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
