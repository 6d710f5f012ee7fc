import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Git, openGit } from '../../src/git/git.ts';
import { attempt } from '../../src/system/attempt.ts';
import { spawnProcesses } from '../../src/system/spawnProcesses.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';

/** What no program may change without the user's knowledge. */
interface RepositoryState {
  readonly head: string;
  readonly branches: string;
  readonly index: string;
  readonly status: string;
  readonly stash: string;
}

export interface GitRepository extends AsyncDisposable {
  readonly path: string;
  /** A folder beside the repository, removed with it; also the home of its user. */
  readonly beside: string;
  readonly env: Readonly<Record<string, string>>;
  /** The git under test. */
  readonly hardened: Git;
  /** Plain git, as the user would type it. */
  git(...args: readonly string[]): string;
  write(path: string, content: string | Buffer): string;
  state(): RepositoryState;
}

const USER =
  '[maintenance]\nauto = false\n[user]\nname = A User\nemail = user@example.com\n[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n';

/** A real repository in a temp folder, isolated from the machine's own configuration. */
export async function gitRepository(
  options: { readonly isEmpty?: boolean; readonly initArgs?: readonly string[]; readonly isTrusted?: boolean } = {},
): Promise<GitRepository> {
  const folder = await tempFolder();
  const [path, beside] = [join(folder.path, 'repository'), join(folder.path, 'home')];
  for (const made of [path, beside]) mkdirSync(made);
  writeFileSync(join(beside, '.gitconfig'), USER);
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: beside, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' };
  const processes = spawnProcesses({ env });
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: path, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const isCopied = !options.isEmpty && options.initArgs === undefined;
  if (isCopied) copyFirstCommit(path, git);
  else git('init', '--quiet', ...(options.initArgs ?? []));
  const repository: GitRepository = {
    path,
    beside,
    env,
    hardened: openGit({ processes, env, repositoryPrograms: options.isTrusted ? 'run' : 'off' }),
    git,
    write: (name, content) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    state: () => readState(path, git),
    async [Symbol.asyncDispose]() {
      await processes.endAll();
      await folder[Symbol.asyncDispose]();
    },
  };
  if (!options.isEmpty && !isCopied) firstCommit(path, git);
  return repository;
}

const FIRST_FILES = { '.gitignore': 'ignored/\n', 'kept.txt': 'first\n', 'folder/other.txt': 'other\n' };

function writeFirstFiles(path: string): void {
  mkdirSync(join(path, 'folder'));
  for (const [name, content] of Object.entries(FIRST_FILES)) writeFileSync(join(path, name), content);
}

function firstCommit(path: string, git: GitRepository['git']): void {
  writeFirstFiles(path);
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
}

/** What `.git` holds after the first commit, without the index, which has the times of its own files. */
const made = new Map<string, Buffer | null>();

/** The first commit is the same in each: making it takes three processes, copying it and an index of its own takes one. */
function copyFirstCommit(path: string, git: GitRepository['git']): void {
  if (made.size === 0) {
    git('init', '--quiet');
    firstCommit(path, git);
    const folder = join(path, '.git');
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (entry.name === 'index' || entry.name.endsWith('.sample')) continue;
      made.set(relative(folder, file), entry.isDirectory() ? null : readFileSync(file));
    }
    return;
  }
  mkdirSync(join(path, '.git'));
  for (const [name, content] of made) {
    if (content === null) mkdirSync(join(path, '.git', name), { recursive: true });
    else writeMade(join(path, '.git', name), content);
  }
  writeFirstFiles(path);
  git('add', '-A');
}

/** Objects are read-only, as git makes them. */
function writeMade(file: string, content: Buffer): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode: /\bobjects\b/.test(file) ? 0o444 : 0o644 });
}

/** In two processes: it is read before and after most of what tests do. */
function readState(path: string, git: GitRepository['git']): RepositoryState {
  const gitDir = join(path, '.git');
  return {
    head: readFileSync(join(gitDir, 'HEAD'), 'utf8'),
    branches: git('-C', path, 'for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes', 'refs/stash'),
    index: attempt(
      () =>
        createHash('sha256')
          .update(readFileSync(join(gitDir, 'index')))
          .digest('hex'),
      'no file',
    ),
    status: git('--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--untracked-files=all'),
    // what `git stash list` shows
    stash: attempt(() => readFileSync(join(gitDir, 'logs/refs/stash'), 'utf8'), 'none'),
  };
}
