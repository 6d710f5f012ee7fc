import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chance } from '../../../tests/support/random.ts';
import { markedProcesses } from '../markedProcesses.ts';
import { MARKS } from '../marks.ts';
import { leadersOfSession } from '../processGroup.ts';
import { type SpawningRunner, spawnProcesses } from '../spawnProcesses.ts';

const script = join(import.meta.dirname, '../../../profiles/spawn-helper.pl');
const PLAIN: Record<string, string> = { PATH: process.env.PATH ?? '/usr/bin:/bin', PWD: '/tmp', HOME: '/root' };

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stopgate-spares-')));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let runners: SpawningRunner[];
beforeEach(() => {
  runners = [];
});
afterEach(async () => void (await Promise.all(runners.map((runner) => runner.endAll()))));

interface Command {
  readonly file: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}

async function open(env: Record<string, string>) {
  const helped = spawnProcesses({ helperScript: script, env, onFallback: (sentence) => expect.unreachable(sentence) });
  const plain = spawnProcesses({ env });
  runners.push(helped, plain);
  const runBy =
    (runner: SpawningRunner) =>
    ({ file, args = [], cwd = '/', ...more }: Command) =>
      runner.start({ file, args, cwd, env, maxOutputBytes: 1_000_000, ...more }).ended;
  const run = runBy(helped);
  const printed = await run({ file: 'sh', args: ['-c', 'echo $PPID'] });
  const helper = Number('stdout' in printed ? printed.stdout : Number.NaN);
  const spares = () => leadersOfSession(helper);
  const waiting = async () => {
    await expect.poll(() => spares().length).toBe(2);
    return spares();
  };
  /** The same command run by a spare that waited for it, and by a plain spawn. */
  const runBoth = async (command: Command) => {
    await waiting();
    const [ours, theirs] = await Promise.all([run(command), runBy(plain)(command)]);
    return { ours: comparable(ours, command), theirs: comparable(theirs, command) };
  };
  return { run, waiting, runBoth };
}

/** How it ended and what it printed, without what no two runs have in common. */
function comparable(end: object, { file }: Command): object {
  const { pid: _, durationMs: __, mayHaveLeftOthers: ___, ...rest } = end as Record<string, unknown>;
  // an environment has no order
  return file.endsWith('env') ? { ...rest, stdout: String(rest.stdout).split('\0').toSorted() } : rest;
}

describe('spares of the helper', () => {
  it('change nothing about a command: its words, its environment, its folder and its input', {
    timeout: 60_000,
  }, async () => {
    const odd = join(folder, `it's "a" $(folder)\n\\`);
    await mkdir(odd, { recursive: true });
    const luck = chance(20_261_116);
    const ascii = ['a', ' ', "'", '"', '\\', '\n', '\r', '\t', '$', '`', '*', '~', '!', ';', '&', '\x01', '\x1b'];
    const any = [...ascii, '\x7f', 'é', 'Á', '漢'];
    const { runBoth } = await open(PLAIN);
    for (let n = 0; n < 32; n++) {
      const letters = n % 4 === 3 ? any : ascii;
      const text = () => Array.from({ length: luck.upTo(12) }, () => luck.pick(letters)).join('');
      const env = {
        ...PLAIN,
        ...(n % 3 === 0 && { VALUE: text() }),
        ...(n % 5 === 0 && { OLDPWD: text(), PWD: text() }),
      };
      const input = n % 4 === 0 ? {} : { input: `${text()}\n${text()}` };
      const common = { env, cwd: n % 2 ? odd : '/tmp', ...input };
      const words = [text(), text(), '-n', ''];
      for (const command of [
        { ...common, file: 'printf', args: ['%s\\0', ...words] },
        { ...common, file: '/usr/bin/env', args: ['-0'] },
        { ...common, file: 'bash', args: ['--norc', '-c', 'pwd -P; cat; printf "%s\\0" "$0" "$@"', ...words] },
      ]) {
        const { ours, theirs } = await runBoth(command);
        expect(ours, JSON.stringify(command)).toEqual(theirs);
      }
    }
  });

  it('pass on names that shells know, and names that no shell passes on', async () => {
    const known = {
      TERM: 'dumb',
      PS1: '$ ',
      PS4: '+',
      MAIL: '/x',
      HISTSIZE: 'x',
      LANG: 'C',
      SHLVL: '3',
      _: '/bin/x',
      ENV: '/x',
      IFS: ':',
      OPTIND: '1',
      'odd-name': '1',
      'BASH_FUNC_x%%': '1',
    };
    const { runBoth } = await open({ ...PLAIN, ...known });
    const { ours, theirs } = await runBoth({ file: '/usr/bin/env', args: ['-0'] });
    expect(ours).toEqual(theirs);
  });

  it('keep the PWD they were given, whatever it is', async () => {
    for (const PWD of ['/tmp', '/nowhere', `it's\n"odd" ÁÈ`]) {
      const { runBoth } = await open({ ...PLAIN, PWD, OLDPWD: `before ${PWD}` });
      const { ours, theirs } = await runBoth({ file: '/usr/bin/env', args: ['-0'], cwd: folder });
      expect(ours).toEqual(theirs);
      expect(ours).toHaveProperty('stdout', expect.arrayContaining([`PWD=${PWD}`, `OLDPWD=before ${PWD}`]));
    }
  });

  it('end as the command does', async () => {
    const { runBoth } = await open(PLAIN);
    const scripts = ['exit 2', 'exit 127', 'kill -9 $$', 'kill -TERM $$', 'no-such-command', 'if', 'echo $-$0'];
    for (const printed of [...scripts, 'readlink /proc/self/fd/0']) {
      const { ours, theirs } = await runBoth({ file: 'sh', args: ['-c', printed] });
      expect(ours, printed).toEqual(theirs);
    }
  });

  it('report why a command was not started, as a plain spawn does', async () => {
    const { runBoth } = await open(PLAIN);
    const lost = join(folder, 'lost');
    writeFileSync(lost, '#!/no/such/interpreter\n', { mode: 0o755 });
    for (const command of [
      { file: lost },
      { file: 'no-such-program' },
      { file: '/no/such/program' },
      { file: '/etc/passwd' },
      { file: '/' },
      { file: 'sh', args: ['-c', 'true'], cwd: '/no/such/folder' },
      { file: 'sh', args: ['-c', 'true'], cwd: '/etc/passwd' },
    ]) {
      const { ours, theirs } = await runBoth(command);
      expect(ours, JSON.stringify(command)).toEqual(theirs);
      expect(ours).toHaveProperty('type', 'notStarted');
    }
  });

  it('are not taken for what a command has started, and pass its marks on all the same', async () => {
    for (const name of Object.values(MARKS)) {
      const value = `it's ${folder}`;
      const env = { ...PLAIN, [name]: value };
      const { run, waiting } = await open(env);
      await waiting();
      expect(markedProcesses(name, value), name).toEqual([]);
      const command = { file: '/bin/sh', args: ['-c', `echo "$${name}"; tr '\\0' '\\n' </proc/$$/environ`] };
      const printed = await run(command);
      expect('stdout' in printed && printed.stdout.split('\n'), name).toEqual(
        expect.arrayContaining([value, `${name}=${value}`]),
      );
      await waiting();
      expect(await run({ ...command, env: PLAIN })).not.toMatchObject({ stdout: expect.stringContaining(value) });
    }
  });

  it('take words and variables of any length', async () => {
    const { run, waiting } = await open(PLAIN);
    await waiting();
    const long = 'x'.repeat(100_000);
    expect(await run({ file: 'printf', args: ['%s', long] })).toMatchObject({ stdout: long });
    const after = await run({ file: 'sh', args: ['-c', 'echo "$VALUE" | wc -c'], env: { ...PLAIN, VALUE: long } });
    expect(after).toMatchObject({ stdout: '100001\n' });
  });
});
