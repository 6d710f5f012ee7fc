import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  '[user]\nname = A User\nemail = user@example.com\n[init]\ndefaultBranch = main\n[protocol "file"]\nallow = always\n';

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
  git('init', '--quiet', ...(options.initArgs ?? []));
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
  if (!options.isEmpty) firstCommit(repository);
  return repository;
}

function firstCommit({ write, git }: GitRepository): void {
  write('.gitignore', 'ignored/\n');
  write('kept.txt', 'first\n');
  write('folder/other.txt', 'other\n');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
}

function readState(path: string, git: GitRepository['git']): RepositoryState {
  const gitDir = git('rev-parse', '--absolute-git-dir').trim();
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
    stash: git('stash', 'list'),
  };
}
