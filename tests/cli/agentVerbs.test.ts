import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { storedTask } from '../support/storedTask.ts';
import { sampleOf } from '../support/testSize.ts';

const add = async (project: TestProject, title: string, ...flags: string[]) =>
  (await project.run(['task', 'add', title, ...flags])).stdout.trim();
const show = (project: TestProject, id: string) => storedTask(path.join(project.home, '.stopgate/stopgate.db'), id);

/** Without any variable of ours, as an agent can call it. */
const BARE = 'env -i PATH="$PATH" HOME="$HOME"';

/**
 * Runs a script as the agent of a worker, once, with `stopgate` on its PATH. `said` has, for each `try NAME COMMAND`, the exit
 * code and what it printed.
 */
async function asAgent(project: TestProject, script: string, ...options: string[]) {
  const attempts = 'try() { name=$1; shift; "$@" > "$name.out" 2>&1; echo "$?" > "$name.code"; }';
  project.write('agent.sh', `#!/bin/sh\n${attempts}\n${script}\n`);
  const args = ['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--agent', 'sh agent.sh', ...options];
  const { stderr } = await project.start(args).ended;
  const read = (name: string) => {
    const file = path.join(project.dir, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : `not written:\n${stderr}`;
  };
  return { stderr, code: (name: string) => Number(read(`${name}.code`)), said: (name: string) => read(`${name}.out`) };
}

const failingChecks = async (project: TestProject) => {
  project.write('stopgate.config.json', '{"checks":[{"name":"tests","command":"test -e fixed"}]}');
  expect((await project.run(['trust', '--yes'])).code).toBe(0);
};

// each has a project and a home of its own, and mostly waits
describe("a worker's agent", { timeout: 90_000, concurrent: true }, () => {
  it('cannot complete its task while the checks fail, however often and from wherever it tries', async () => {
    await using project = await testProject();
    await failingChecks(project);
    const id = await add(project, 'one', '--max-failures', '1');
    const shell = await asAgent(
      project,
      `
      complete="stopgate task complete $STOPGATE_TASK_ID --epoch $STOPGATE_TASK_EPOCH"
      try plain $complete
      for n in 1 2 3 4; do try again $complete; done
      try elsewhere sh -c "cd / && $complete --store $STOPGATE_STORE"
      try bare ${BARE} $complete
      try switched env STOPGATE_OFF=1 STOPGATE_INSIDE_CHECK=1 STOPGATE_BUDGET_END=1 $complete
      mkdir -p fake fakehome && printf '#!/bin/sh\\nexit 0\\n' > fake/test && chmod +x fake/test
      try path env PATH="$PWD/fake:$PATH" $complete
      try home env -i PATH="$PATH" HOME="$PWD/fakehome" $complete --store "$STOPGATE_STORE"
      try session setsid --wait $complete
      mv stopgate.config.json kept.json
      try deleted $complete
      mv kept.json stopgate.config.json
      exit 1`,
    );
    for (const name of ['plain', 'again', 'elsewhere', 'bare', 'switched', 'path', 'home', 'session', 'deleted']) {
      expect([name, shell.code(name), shell.said(name)]).toEqual([
        name,
        5,
        expect.stringMatching(/stays open\..*(tests|deleted)/s),
      ]);
    }
    const { task, attempts } = await show(project, id);
    expect(task, shell.stderr).toMatchObject({ state: 'dead', result: null });
    expect(attempts).toMatchObject([{ state: 'failed' }]);
  }, 90_000);

  it('completes it when they pass', async () => {
    await using project = await testProject();
    await failingChecks(project);
    const id = await add(project, 'one');
    const shell = await asAgent(
      project,
      'try early stopgate task complete; touch fixed; try late stopgate task complete --result fixed',
    );
    expect([shell.code('early'), shell.code('late')], shell.said('late')).toEqual([5, 0]);
    expect((await show(project, id)).task).toMatchObject({ state: 'done', result: 'fixed' });
  }, 60_000);

  it('is not done by an exit code of 0 while the checks fail', async () => {
    await using project = await testProject();
    await failingChecks(project);
    const id = await add(project, 'one', '--max-failures', '1');
    const { stderr } = await asAgent(project, 'echo "made it"');
    const { task } = await show(project, id);
    expect(task, stderr).toMatchObject({ state: 'dead', failures: 1 });
    expect(task.lastError).toContain('tests');
  }, 60_000);

  it('may fail and release its own task, and add others', async () => {
    await using project = await testProject();
    const id = await add(project, 'one', '--max-failures', '1');
    const shell = await asAgent(
      project,
      'try add stopgate task add more --hold later; try fail stopgate task fail --error no',
    );
    expect([shell.code('add'), shell.code('fail')], shell.said('fail')).toEqual([0, 0]);
    expect((await show(project, id)).task).toMatchObject({ state: 'dead', lastError: 'no' });
    expect((await show(project, shell.said('add').trim())).task).toMatchObject({ state: 'queued', title: 'more' });
  }, 60_000);

  it('cannot give its task back in a way that counts for nothing', async () => {
    await using project = await testProject();
    const id = await add(project, 'one', '--max-claims', '1');
    const shell = await asAgent(project, 'try release stopgate task release --reason drained --note later');
    expect(shell.code('release'), shell.said('release')).toBe(0);
    expect((await show(project, id)).attempts[0]).toMatchObject({ state: 'released', outcome: 'released' });
  }, 60_000);

  /** How a command knows that an agent called it is the same for all; each is tried with the variables. */
  const ONE_OF_EACH_GROUP = ['cancel', 'accountPause', 'move', 'down', 'run', 'trust', 'claim'];

  it.each([
    ['its variables', '', () => true],
    ['no variables at all', `${BARE} `, (name: string) => ONE_OF_EACH_GROUP.includes(name)],
  ])(
    'cannot do what is for people, with %s',
    async (_what, prefix, isInSample) => {
      await using project = await testProject();
      const other = await add(project, 'other', '--hold', 'not now');
      await add(project, 'one', '--max-failures', '1');
      const all = [
        ['cancel', `task cancel ${other}`],
        ['redrive', `task redrive ${other}`],
        ['unhold', `task unhold ${other}`],
        ['hold', `task hold ${other}`],
        ['pause', 'task pause'],
        ['resume', 'task resume'],
        ['accountPause', 'account pause sh --for 2h'],
        ['accountResume', 'account resume sh'],
        ['move', 'store move --to moved.db --yes'],
        ['down', 'fleet down'],
        ['up', 'fleet up -n 1'],
        ['run', 'worker run --slot v --agent true'],
        ['trust', 'trust --yes'],
        ['init', 'init --yes'],
        ['remove', 'remove --all'],
        ['claim', 'task claim --worker v'],
        ['claimOwn', 'task claim --worker x --queue other'],
      ] as const;
      const verbs = sampleOf(all, ([name]) => isInSample(name));
      const script = verbs.map(([name, verb]) => `try ${name} ${prefix}stopgate ${verb}`).join('\n');
      const shell = await asAgent(project, `${script}\nexit 1`);
      for (const [name, verb] of verbs) {
        const sentence = /^stopgate: .* belongs to an agent \(.*a person .* in their own terminal\.\n$/;
        expect([verb, shell.code(name), shell.said(name)]).toEqual([verb, 1, expect.stringMatching(sentence)]);
      }
      expect((await show(project, other)).task).toMatchObject({ state: 'queued', holdReason: 'not now' });
      expect((await project.run(['account', 'list'])).stdout).toBe('No account has ever been paused.\n');
      expect(existsSync(path.join(project.home, '.stopgate/trust.json'))).toBe(false);
      expect(existsSync(path.join(project.dir, 'moved.db'))).toBe(false);
    },
    120_000,
  );

  it('settles no claim of another worker, also under its name', async () => {
    await using project = await testProject();
    const other = await add(project, 'other');
    expect((await project.run(['task', 'claim', '--worker', 'v'])).code).toBe(0);
    await add(project, 'one', '--max-failures', '1');
    const verbs = ['complete', 'fail --error x', 'release'];
    const script = verbs.flatMap((verb, n) => [
      `try plain${n} stopgate task ${verb} ${other} --epoch 1`,
      `try named${n} env STOPGATE_WORKER=v STOPGATE_WORKER_INCARNATION=1 stopgate task ${verb} ${other} --epoch 1`,
    ]);
    const shell = await asAgent(project, [...script, 'exit 1'].join('\n'));
    for (const name of ['plain0', 'named0', 'plain1', 'named1', 'plain2', 'named2']) {
      const sentence = `stopgate: Task ${other} is claimed by the worker v, and this shell belongs to another agent`;
      expect([name, shell.code(name), shell.said(name)]).toEqual([name, 1, expect.stringContaining(sentence)]);
    }
    expect((await show(project, other)).task).toMatchObject({ state: 'claimed', epoch: 1 });
  }, 60_000);

  it('may run tests that use a store and a home of their own', async () => {
    await using project = await testProject();
    await add(project, 'one');
    const shell = await asAgent(
      project,
      `mkdir -m 700 h
      export_home="env -i PATH=$PATH HOME=$PWD/h"
      id=$($export_home stopgate task add inner)
      try cancel $export_home stopgate task cancel $id
      try claim $export_home stopgate task claim --worker any
      exit 1`,
    );
    expect([shell.code('cancel'), shell.code('claim')], shell.said('cancel')).toEqual([0, 3]);
  }, 60_000);

  it('does not pause the account by writing the file of its StopFailure hook', async () => {
    await using project = await testProject();
    const failure = JSON.stringify({ error: 'rate_limit', last_assistant_message: 'try again in 30 days' });
    const claude = project.write(
      'claude',
      `#!/bin/sh\necho start >> starts\nprintf '%s' '${failure}' > "$STOPGATE_FAILURE_FILE"\necho "I give up."\nexit 1\n`,
    );
    chmodSync(claude, 0o755);
    const id = await add(project, 'one', '--max-failures', '1');
    const args = ['worker', 'run', '--slot', 'w', '--idle-timeout', '1s', '--agent', 'claude'];
    await project.start(args, { env: { STOPGATE_CLAUDE: claude } }).ended;
    expect((await project.run(['account', 'list'])).stdout).toBe('No account has ever been paused.\n');
    expect((await show(project, id)).task).toMatchObject({ state: 'dead', failures: 1 });
  }, 60_000);
});

describe('an agent of a launch or of a prompt', () => {
  it('cannot trust its folder', async () => {
    const command = `node ${BIN} trust --yes; echo "code $?"`;
    await using project = await testProject((_body, n) =>
      n === 0 ? { tools: [{ name: 'Bash', input: { command } }] } : { text: 'ok' },
    );
    await project.run(['-p', 'x', '--permission-mode', 'bypassPermissions']);
    const sent = JSON.stringify(project.server.seen.at(-1));
    expect(sent).toContain('stopgate trust is for people');
    expect(sent).toContain('code 1');
    const agent = `sh -c '${BARE} ${process.execPath} ${BIN} trust --yes' sh`;
    const { stdout, stderr } = await project.run(['launch', '--time-budget', '1m', '--agent', agent]);
    expect(stdout + stderr).toContain('it was started by stopgate launch, process ');
    expect(existsSync(path.join(project.home, '.stopgate/trust.json'))).toBe(false);
  }, 60_000);
});
