import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BIN, testProject } from '../support/project.ts';
import { onTerminal, quoted } from '../support/terminal.ts';

const launch = (options: string, script: string) =>
  `${quoted(process.execPath)} ${quoted(BIN)} launch ${options} --agent ${quoted(`sh -c ${quoted(script)} sh`)} --`;

describe('stopgate launch --interactive', () => {
  it('gives the agent the terminal, what is typed, and the clock', async () => {
    await using project = await testProject();
    const script =
      'test -t 0 && test -t 1 && test -t 2 && echo on-a-terminal; read x; echo "got $x until $STOPGATE_BUDGET_END"; exit 5';
    const run = onTerminal(project, launch('-i --time-budget 20m', script));
    await run.sees('on-a-terminal');
    run.type('a line\r');
    const { code, screen } = await run.ended;
    expect(screen).toMatch(/got a line until \d{10}/);
    expect(screen).toContain('sh has 20m');
    expect(code).toBe(5);
  });

  it('leaves Ctrl-C to the agent', async () => {
    await using project = await testProject();
    const run = onTerminal(
      project,
      // without exec the shell around it would get the signal too
      `exec ${launch('-i --time-budget 20m', 'trap "echo caught; exit 6" INT; echo ready; while :; do read x; done')}`,
    );
    await run.sees('ready');
    run.type('\u0003');
    const { code, screen } = await run.ended;
    expect(screen).toContain('caught');
    expect(screen).not.toContain('Interrupted');
    expect(code).toBe(6);
  });

  it('ends it when time is over, with all it started, and gives the terminal back as it was', async () => {
    await using project = await testProject();
    const script = `stty raw -echo; printf "\\033[?1049h"; trap "" INT TERM; setsid sleep 619 & echo ready; while :; do sleep 1; done`;
    const run = onTerminal(
      project,
      `stty -a > before; ${launch('-i --time-budget 1s --grace 0 --json', script)}; echo code=$?; stty -a > after`,
    );
    const { screen } = await run.ended;
    expect(screen).toContain('code=124');
    expect(screen).toContain('"how":"expired"');
    expect(screen.indexOf('\u001b[?1049l')).toBeGreaterThan(screen.indexOf('ready'));
    expect(project.read('after')).toBe(project.read('before'));
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain('sleep 619\n');
  });

  it.each([
    ['without a terminal', ['-i'], '--interactive needs a terminal'],
    ['without a prompt or a terminal', [], 'No prompt'],
  ])('refuses %s', async (_name, options, sentence) => {
    await using project = await testProject();
    const { code, stderr } = await project.run(['launch', '--time-budget', '20m', ...options]);
    expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
    expect(stderr).toContain(sentence);
  });

  it('refuses limits that it could not hold', async () => {
    await using project = await testProject();
    const run = onTerminal(project, launch('-i --time-budget 20m --max-budget-usd 1', 'true'));
    const { code, screen } = await run.ended;
    expect(code).toBe(2);
    expect(screen).toContain('need a headless agent');
  });
});
