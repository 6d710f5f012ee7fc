import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Answer, ServerReply } from '../../src/testing/modelServer.ts';
import { findClaudeCode, QUIET_CLAUDE } from '../support/claudeCode.ts';
import { ALL_HOSTS } from '../support/hosts/allHosts.ts';
import { type RunningCommand, type TestProject, testProject } from '../support/project.ts';
import { storedState } from '../support/storedState.ts';
import { taskStore } from '../support/taskStore.ts';

const claude = await findClaudeCode();
if (claude.type === 'missing') process.stdout.write(`tests/claudeCode/worker is skipped: ${claude.reason}\n`);

const env = {
  ...QUIET_CLAUDE,
  IS_SANDBOX: '1',
  STOPGATE_CLAUDE: claude.type === 'installed' ? claude.program : '',
  CLAUDE_CODE_MAX_RETRIES: '0',
};

/** Does what a task says: settles it by the command in its handover, then stops. */
function diligent(before: (prompt: string) => ServerReply | undefined = () => undefined): Answer {
  return (body) => {
    if ((body.tools ?? []).length < 3) return { text: 'ok' };
    const said = textOf(body.messages.findLast(({ role }: { role: string }) => role === 'user'));
    const [, id, epoch] = /You have a task\. Task (\S+), attempt \d+, epoch (\d+)/.exec(said) ?? [];
    if (id === undefined) return { text: 'I am done.' };
    const special = before(said);
    if (special) return special;
    const command = `stopgate task complete ${id} --epoch ${epoch} --result "did it"`;
    return { tools: [{ name: 'Bash', input: { command, description: 'settle' } }] };
  };
}

const textOf = (message: unknown) => JSON.stringify(message).replaceAll('\\n', '\n');

const worker = (project: TestProject, ...options: string[]): RunningCommand =>
  project.start(['worker', 'run', ...options], { env });

/** Asks until it is so; the test's own limit ends it otherwise. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const mainRequests = ({ server }: TestProject) =>
  server.seen.filter(({ body }) => (body.tools ?? []).length > 2).length;

describe.skipIf(claude.type === 'missing')(
  'a worker with the real Claude Code',
  { timeout: 90_000, concurrent: true },
  () => {
    it('waits in its hook without a request, takes a task at once, gets a fresh window, stops at its threshold', async () => {
      await using project = await testProject(diligent());
      await using tasks = await taskStore(project);
      const [first = ''] = await tasks.add('first');
      const run = worker(project, '--slot', 'w', '--idle-timeout', '8s');
      await until(() => storedState(project, first) === 'done');
      // the answer after the tool, then nothing: the hook waits, the model does not
      await until(() => mainRequests(project) === 2);
      const before = mainRequests(project);
      const windowBegan = Date.now();
      await until(() => Date.now() - windowBegan > 4_000);
      expect(mainRequests(project)).toBe(before);
      const [second = ''] = await tasks.add('second');
      await until(() => storedState(project, second) === 'done');
      const { task, attempts } = await tasks.show(second);
      expect(Number(attempts[0]?.claimedAt) - task.createdAt).toBeLessThan(1_000);
      // one session all along
      expect(mainRequests(project)).toBeGreaterThan(before);
      const { code, stderr } = await run.ended;
      const idleMs = Date.now() - (await tasks.show(second)).task.updatedAt;
      expect(idleMs).toBeGreaterThan(7_000);
      expect([code, stderr]).toEqual([0, expect.stringContaining('so this worker may stop')]);
    });

    it('is told by the hooks that a tool runs, from task to task', async () => {
      const marks = '"$(cat "$STOPGATE_ACTIVITY_FILE")"';
      await using project = await testProject(
        diligent((said) => {
          const [, id, epoch] = /Task (\S+), attempt \d+, epoch (\d+)/.exec(said) ?? [];
          const command = `stopgate task complete ${id} --epoch ${epoch} --result ${marks}`;
          return { tools: [{ name: 'Bash', input: { command, description: 'settle' } }] };
        }),
      );
      await using tasks = await taskStore(project);
      const ids = await tasks.add('one', 'two');
      const mayRun = ['--', '--allowedTools', 'Bash'];
      const { code, stderr } = await worker(project, '--slot', 'w', '--idle-timeout', '2s', ...mayRun).ended;
      expect(code, stderr).toBe(0);
      for (const id of ids) expect((await tasks.show(id)).task, stderr).toMatchObject({ state: 'done', result: 's' });
    });

    it('writes in its worktree, which lies below the home that its guard keeps', async () => {
      const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'x' } });
      const commands = ['echo made > made.txt', 'echo x > ~/.stopgate/off', 'stopgate task complete --result wrote'];
      await using project = await testProject(diligent(() => ({ tools: commands.map(bash) })));
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: project.dir,
          encoding: 'utf8',
        });
      project.write('stopgate.config.json', '{"checks":[{"name":"made","command":"test -e made.txt"}]}');
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'first');
      for (const words of [
        ['init', '--yes'],
        ['trust', '--yes'],
      ]) {
        const end = await project.run(words);
        expect(end.code, end.stderr).toBe(0);
      }
      await using tasks = await taskStore(project);
      const [id = ''] = await tasks.add('one');
      const mayRun = ['--', '--dangerously-skip-permissions'];
      const run = worker(project, '--worktrees', '--slot', 'w', '--idle-timeout', '2s', ...mayRun);
      const { code, stderr } = await run.ended;
      expect(code, stderr).toBe(0);
      const { task, attempts } = await tasks.show(id);
      expect(task, stderr).toMatchObject({ state: 'done', result: 'wrote' });
      expect(git('show', `${attempts[0]?.details.branch}:made.txt`)).toBe('made\n');
      const told = JSON.stringify(project.server.seen.map(({ body }) => body.messages));
      expect(told).toContain('/.stopgate/off decides when this agent may stop');
      expect(told).not.toContain('made.txt decides');
    });

    // tests/cli/worker and tests/fleet kill workers of other agents: what follows is the store's
    it.runIf(ALL_HOSTS)('has its task finished by its replacement when it is killed', async () => {
      let hangs = true;
      await using project = await testProject(diligent(() => (hangs ? { text: 'never', delayMs: 80_000 } : undefined)));
      await using tasks = await taskStore(project);
      const [id = ''] = await tasks.add('precious');
      const killed = worker(project, '--slot', 'w', '--idle-timeout', '3s');
      await until(() => mainRequests(project) > 0);
      killed.child.kill('SIGKILL');
      await killed.ended;
      expect((await tasks.show(id)).task.state).toBe('claimed');
      hangs = false;
      const { code } = await worker(project, '--slot', 'w', '--idle-timeout', '15s').ended;
      expect(code).toBe(0);
      const { task, attempts } = await tasks.show(id);
      expect(task).toMatchObject({ state: 'done', epoch: 2, reclaims: 1 });
      expect(attempts.map(({ state }) => state)).toEqual(['lost', 'succeeded']);
    });

    // the next one has the pause, and src/fleet/worker/runWorker.test.ts goes on after one
    it.runIf(ALL_HOSTS)('pauses its account at a 429 and goes on afterwards, the task uncounted', async () => {
      let limited = true;
      await using project = await testProject(
        diligent(() => {
          if (!limited) return undefined;
          limited = false;
          return { error: { status: 429, type: 'rate_limit_error', message: 'Slow down, try again in 2 s' } };
        }),
      );
      await using tasks = await taskStore(project);
      const [id = ''] = await tasks.add('x');
      const { code } = await worker(project, '--slot', 'w', '--idle-timeout', '25s').ended;
      expect(code).toBe(0);
      const { task, attempts } = await tasks.show(id);
      expect(task).toMatchObject({ state: 'done', failures: 0 });
      expect(attempts.map(({ state }) => state)).toEqual(['rate_limited', 'succeeded']);
      expect(Number(attempts[1]?.claimedAt) - Number(attempts[0]?.endedAt)).toBeGreaterThanOrEqual(1_900);
    });

    it('lets its account rest until the moment that a subscription’s limit names', async () => {
      const resetAt = Math.floor(Date.now() / 1000) + 2 * 3600;
      const headers = {
        'anthropic-ratelimit-unified-status': 'rejected',
        'anthropic-ratelimit-unified-representative-claim': 'five_hour',
        'anthropic-ratelimit-unified-reset': String(resetAt),
      };
      const error = { status: 429, type: 'rate_limit_error', message: 'over', headers };
      await using project = await testProject(diligent(() => ({ error })));
      await using tasks = await taskStore(project);
      const [id = ''] = await tasks.add('x');
      const subscribed = { ...env, ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'dummy', TZ: 'Asia/Kolkata' };
      const run = project.start(['worker', 'run', '--slot', 'w'], { env: subscribed });
      await run.sees('the account claude is paused for 2h');
      const [{ pausedUntil, source } = { pausedUntil: null, source: null }] = await tasks.accounts();
      // named by the minute, then spread over a tenth of the wait
      expect(pausedUntil).toBeGreaterThanOrEqual(resetAt * 1000);
      expect(pausedUntil).toBeLessThan((resetAt + 60 + 720) * 1000);
      expect(source).toBe('rate_limit, worker w');
      expect((await tasks.show(id)).task).toMatchObject({ state: 'queued', failures: 0 });
      run.child.kill('SIGTERM');
      expect((await run.ended).code).toBe(0);
    });

    // src/fleet/decisions/accountTrouble.test.ts has the decision, and a limit, above, the pause
    it.runIf(ALL_HOSTS)(
      'blames no task for a login that has expired, and goes on when somebody logged in again',
      async () => {
        let isExpired = true;
        const error = { status: 401, type: 'authentication_error', message: 'OAuth token has expired' };
        await using project = await testProject(diligent(() => (isExpired ? { error } : undefined)));
        await using tasks = await taskStore(project);
        const [id = ''] = await tasks.add('x');
        // on a busy machine, two commands take seconds, and an idle worker ends meanwhile
        const run = worker(project, '--slot', 'w', '--idle-timeout', '8s');
        await run.sees('the account claude is paused for 10m');
        await run.sees('(authentication_failed, worker w)');
        const { task, attempts } = await tasks.show(id);
        expect(task).toMatchObject({ state: 'queued', failures: 0, releases: 0, epoch: 1 });
        expect(attempts).toMatchObject([{ state: 'released', outcome: 'unserved' }]);
        isExpired = false;
        expect(await tasks.resume('claude')).toBe('resumed');
        expect((await run.ended).code).toBe(0);
        expect((await tasks.show(id)).task).toMatchObject({ state: 'done', failures: 0 });
      },
    );

    const UNSERVED: readonly (readonly [number, string, string, string])[] = [
      [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'billing_error'],
      [529, 'overloaded_error', 'Overloaded', 'server_error'],
    ];
    // src/fleet/decisions/accountTrouble.test.ts has the decision, and a limit, above, the pause
    it.runIf(ALL_HOSTS).each(UNSERVED)(
      'blames no task for a provider that answers %i %s',
      async (status, type, message, source) => {
        await using project = await testProject(diligent(() => ({ error: { status, type, message } })));
        await using tasks = await taskStore(project);
        const [id = ''] = await tasks.add('x');
        const run = worker(project, '--slot', 'w');
        await run.sees('the account claude is paused for');
        expect(await tasks.accounts()).toMatchObject([{ source: `${source}, worker w` }]);
        expect((await tasks.show(id)).task).toMatchObject({ state: 'queued', failures: 0, releases: 0, epoch: 1 });
        run.child.kill('SIGTERM');
        expect((await run.ended).code).toBe(0);
      },
    );

    // what they show of the store, tests/store shows of hundreds
    const many = 20;
    const slots = ['a', 'b', 'c'];
    it.runIf(ALL_HOSTS)(
      `does ${many} tasks with ${slots.length} workers, each once`,
      async () => {
        await using project = await testProject(diligent());
        await using tasks = await taskStore(project);
        const ids = await tasks.add(...Array.from({ length: many }, (_, n) => `task ${n}`));
        const runs = slots.map((slot) => worker(project, '--slot', slot, '--idle-timeout', '4s'));
        for (const { ended } of runs) {
          const { code, stderr } = await ended;
          expect({ code, stderr }).toMatchObject({ code: 0 });
        }
        for (const id of ids) {
          const { task, attempts } = await tasks.show(id);
          const ends = attempts.map(({ state, outcome, error }) => [state, outcome, error]);
          expect([task.state, ends]).toEqual(['done', [['succeeded', expect.anything(), null]]]);
        }
      },
      90_000,
    );

    // incident 5: two sessions in one folder, one of them a worker's
    it('leaves another session in the folder alone', async () => {
      await using project = await testProject(diligent());
      await using tasks = await taskStore(project);
      const [id = ''] = await tasks.add('x');
      const run = worker(project, '--slot', 'w', '--idle-timeout', '12s');
      await until(() => storedState(project, id) === 'done');
      const stranger = await project.run(['launch', '--time-budget', '10m', '--json', '--', '-p', 'hello'], { env });
      expect(stranger.lines.at(-1)).toMatchObject({ how: 'finished' });
      expect(stranger.lines.at(-1).usedMs).toBeLessThan(12_000);
      expect((await run.ended).code).toBe(0);
    });
  },
);
