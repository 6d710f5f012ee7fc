import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/cli/output/visibleText.ts';
import { BIN, type TestProject, testProject } from '../support/project.ts';
import { onTerminal, quoted } from '../support/terminal.ts';

const COLUMNS = 40;

describe('at 40 columns', { timeout: 60_000 }, () => {
  let project: TestProject;
  let session = '';

  beforeAll(async () => {
    project = await testProject(() => ({ text: 'All of the failing tests are fixed now, I promise.' }));
    const checks = [
      { name: 'tests', command: 'sh check.sh', severity: 'block' },
      { name: 'lint', command: 'echo "src/a.ts: a rather long line of a linter"; exit 1', severity: 'warn' },
    ];
    project.write('stopgate.config.json', JSON.stringify({ checks, protect: ['test/**'] }));
    project.write('check.sh', 'echo "not ok 1 - the total of all invoices is right"; exit 1\n');
    execFileSync('git', ['init', '-q'], { cwd: project.dir });
    await project.run(['trust', '--yes']);
    const prompt = 'Fix the failing tests of the invoices, please';
    const { lines } = await project.run(['-p', prompt, '--require-proof', '--output-format', 'json']);
    session = lines[0].session_id;
    await project.run(['waive', session, '--check', 'tests', '--reason', 'the payment sandbox is down today']);
    return () => project[Symbol.asyncDispose]();
  }, 60_000);

  const STALLED = 'stalled (still failing: tests; no file changed in the last 3 stops)';

  it.each<[readonly string[], readonly string[]]>([
    [['trust', '--yes'], ['at most 10m · blocks a stop (severity block)']],
    [['trust', '--list'], ['(current)']],
    [['waive', 'SESSION'], ['Waived: tests (the payment sandbox is down today), by']],
    [['why'], [STALLED, 'accepted that tests fails: the payment sandbox is down today']],
    [['receipt'], [STALLED, 'All of the failing tests are fixed now, I promise.']],
    [['report'], [STALLED, 'waived: tests']],
    [['status'], [STALLED, 'state: off'.replace('state', 'now')]],
    [['list'], [STALLED, 'Fix the failing tests of the invoices, please']],
    [
      ['baseline', '--reason', 'legacy suite, see the issue about payments'],
      ['These checks now block only on new failures.'],
    ],
    [
      ['baseline', '--list'],
      ['legacy suite, see the issue about payments', 'until removed'],
    ],
    [['baseline', '--check', 'lint'], ['lint only advises (severity warn) and never blocks']],
  ])('%j cuts nothing, and no line is wider', async (args, facts) => {
    const words = [process.execPath, BIN, ...args.map((word) => (word === 'SESSION' ? session : word))];
    const { screen } = await onTerminal(project, `stty cols ${COLUMNS}; ${words.map(quoted).join(' ')}`).ended;
    const lines = stripVTControlCharacters(screen).split(/\r?\n/);
    expect(lines.filter((line) => columnsOf(line) > COLUMNS)).toEqual([]);
    const text = lines.join(' ').replaceAll(/(?:\s|[│>](?= ))+/g, ' ');
    for (const fact of facts) expect(text).toContain(fact);
  });

  it('the difference of an approval too', async () => {
    project.write('check.sh', 'echo "a script whose only line is certainly longer than forty columns"; exit 1\n');
    const command = [process.execPath, BIN, 'trust', '--yes'].map(quoted).join(' ');
    const { screen } = await onTerminal(project, `stty cols ${COLUMNS}; ${command}`).ended;
    const lines = stripVTControlCharacters(screen).split(/\r?\n/);
    expect(lines.filter((line) => columnsOf(line) > COLUMNS)).toEqual([]);
    expect(lines.join(' ')).toContain('changed since you trusted it.');
  });
});
