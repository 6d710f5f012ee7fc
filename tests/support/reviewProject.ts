import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { openStore } from '../../src/store/openStore.ts';
import type { Review, ReviewState, Store } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { commitFiles } from './commitFiles.ts';
import { type CommandOptions, type RunningCommand, type TestProject, testProject } from './project.ts';

/** A repository with finished attempts, in a store that commands under test use. */
export interface ReviewProject extends AsyncDisposable {
  readonly project: TestProject;
  readonly store: Store;
  git(...args: readonly string[]): string;
  /** A task that is done, with these files on a branch of its own (null: removed); `verify` has passed. Returns its id. */
  finish(
    title: string,
    files: Readonly<Record<string, string | null>>,
    base?: string,
    verify?: string,
  ): Promise<string>;
  start(args: readonly string[], options?: CommandOptions): RunningCommand;
  run(...args: readonly string[]): RunningCommand['ended'];
  review(id: string): Promise<Review>;
  /** The states of tasks. */
  states(...ids: readonly string[]): Promise<readonly ReviewState[]>;
  /** The commits that a branch ever pointed to on which the check fails. */
  refusedCommits(branch?: string): readonly string[];
  /** How often a task is on a branch. */
  landed(id: string, branch?: string): number;
  /** Checkouts that were left behind. */
  leftovers(): readonly string[];
}

/** `red` alone is red; `one` and `two` are red only together. Waits while HANG says so. */
const CHECK = `[ -z "$HANG" ] || [ ! -e "$HANG" ] || { touch "$HANG.seen"; while [ -e "$HANG" ]; do sleep 0.1; done; }
[ ! -e red ] || echo 'red is there: remove it'
[ ! -e red ] && { [ ! -e one ] || [ ! -e two ]; }
`;

/** Prints the commits of the branch $1 whose check fails, each in the folder $2. */
const REFUSED = `set -e
for commit in $(git reflog show --format=%H "$1" | sort -u); do
  mkdir "$2"
  git archive "$commit" | tar -x -C "$2"
  (cd "$2" && sh check.sh > /dev/null 2>&1) || echo "$commit"
  rm -r "$2"
done
`;

const NAMED = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

export async function reviewProject(place?: string): Promise<ReviewProject> {
  const project = await testProject();
  const location = place ?? path.join(project.home, 'tasks.db');
  const opened = await openStore(location);
  if ('type' in opened) throw new Error(opened.reason);
  const store = opened;
  const hang = path.join(project.home, 'hang');
  const env = { STOPGATE_STORE: location, STOPGATE_TRUST_PROJECT: '1', USER: 'ann', HANG: hang };
  const git = (...args: readonly string[]) =>
    execFileSync('git', [...NAMED, ...args], { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  project.write('check.sh', CHECK);
  project.write('stopgate.config.json', '{"checks":[{"name":"rule","command":"sh check.sh"}]}');
  project.write('a.txt', 'first\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const by = { workerId: 'w', incarnation: 0 };
  const registered = await store.registerWorker({ workerId: by.workerId });
  if (registered.type === 'registered') by.incarnation = registered.incarnation;
  const start: ReviewProject['start'] = (args, options = {}) =>
    project.start(args, { ...options, env: { ...env, ...options.env } });
  const review = async (taskId: string) => {
    const states = ['waiting', 'accepted', 'landing', 'landed', 'proposed', 'rejected', 'returned'] as const;
    const { reviews } = available(await store.reviews({ taskId, states }));
    const last = reviews.at(-1);
    if (last === undefined) throw new Error(`task ${taskId} has no review`);
    return last;
  };
  return {
    project,
    store,
    git,
    start,
    review,
    run: (...args) => start(args).ended,
    states: async (...ids) => Promise.all(ids.map(async (id) => (await review(id)).state)),
    finish: async (title, files, base = 'main', verify = undefined) => {
      await store.addTasks({ tasks: [{ title, backoffMs: 0, ...(verify !== undefined && { verify }) }] });
      const claimed = await store.claim({ ...by, claimKey: `${title}-${process.hrtime.bigint()}` });
      if (claimed.type !== 'claimed') throw new Error(JSON.stringify(claimed));
      const { lease } = claimed;
      const branch = `sg/${lease.taskId}/${lease.epoch}`;
      commitFiles(project.dir, { branch, from: base, message: title, files });
      const [baseCommit = '', headCommit = ''] = git('rev-parse', base, branch).split('\n');
      const details = { branch, baseCommit, headCommit };
      const done = await store.complete({ lease, result: `did ${title}`, details });
      if (done.type !== 'accepted') throw new Error(JSON.stringify(done));
      const { taskId } = lease;
      const taken = await store.takeVerification({ holder: 'v', ttlMs: 60_000, taskId });
      if (taken.type === 'taken')
        await store.settleVerification({ taskId, verifyEpoch: taken.verifyEpoch, verdict: 'pass' });
      return taskId;
    },
    refusedCommits: (branch = 'main') => {
      const folder = path.join(project.home, 'checked');
      const cwd = project.dir;
      const refused = execFileSync('sh', ['-c', REFUSED, 'sh', branch, folder], {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
      });
      return refused.split('\n').filter(Boolean);
    },
    landed: (id, branch = 'main') =>
      git('log', '--format=%H', `--grep=^Stopgate-Task: ${id}$`, branch).split('\n').filter(Boolean).length,
    leftovers: () =>
      ['land', 'verify'].flatMap((name) => {
        try {
          return readdirSync(path.join(project.home, '.stopgate', name));
        } catch {
          return [];
        }
      }),
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await project[Symbol.asyncDispose]();
    },
  };
}
