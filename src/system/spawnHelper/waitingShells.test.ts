import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chance } from '../../testing/random.ts';
import { markedProcesses } from '../markedProcesses.ts';
import { MARKS } from '../marks.ts';
import { leadersOfSession } from '../processGroup.ts';
import { type SpawningRunner, spawnProcesses } from '../spawnProcesses.ts';

const script = join(import.meta.dirname, '../../../profiles/spawn-helper.pl');
const SMALL_SHELL = '/bin/dash';
const PLAIN: Record<string, string> = { PATH: process.env.PATH ?? '/usr/bin:/bin', PWD: '/tmp', HOME: '/root' };

let folder: string;
let withoutShells: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'stopgate-shells-')));
  withoutShells = join(folder, 'helper.pl');
  writeFileSync(withoutShells, readFileSync(script, 'utf8').replace(SMALL_SHELL, '/nowhere/dash'));
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

async function open(helperScript: string, env: Record<string, string>) {
  const runner = spawnProcesses({ helperScript, env, onFallback: (sentence) => expect.unreachable(sentence) });
  runners.push(runner);
  const run = async ({ file, args = [], cwd = '/', ...more }: Command) =>
    runner.start({ file, args, cwd, env, maxOutputBytes: 1_000_000, ...more }).ended;
  const said = await run({ file: 'sh', args: ['-c', 'echo $PPID'] });
  const helper = Number('stdout' in said ? said.stdout : Number.NaN);
  const spares = () => leadersOfSession(helper);
  const waiting = async () => {
    await expect.poll(() => spares().length).toBe(2);
    return spares();
  };
  const programs = () => spares().map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim());
  const waitAs = async (program: string, why?: string) => {
    await expect.poll(programs, { message: why ?? program }).toEqual([program, program]);
    return spares();
  };
  return { run, waiting, waitAs };
}

/** The same command run by a spare that is a shell and by one that is a perl; both wait before it comes. */
async function openBoth(env = PLAIN) {
  const shells = await open(script, env);
  const perls = await open(withoutShells, env);
  return async (command: Command) => {
    await Promise.all([shells.waiting(), perls.waiting()]);
    const [ours, theirs] = await Promise.all([shells.run(command), perls.run(command)]);
    return { ours: told(ours, command), theirs: told(theirs, command) };
  };
}

/** How it ended and what it printed, without what no two runs have in common. */
function told(end: object, { file }: Command): object {
  const { pid: _, durationMs: __, ...rest } = end as Record<string, unknown>;
  // an environment has no order
  return file.endsWith('env') ? { ...rest, stdout: String(rest.stdout).split('\0').toSorted() } : rest;
}

describe.runIf(existsSync(SMALL_SHELL))('spares that wait as a small shell', () => {
  it('become the commands, unless the environment has names that a shell does not pass on', async () => {
    const { run, waitAs } = await open(script, PLAIN);
    const pids = await waitAs('dash');
    const said = await run({ file: 'sh', args: ['-c', 'echo $$'] });
    expect(pids.map((pid) => `${pid}\n`)).toContain('stdout' in said && said.stdout);
    for (const name of ['IFS', 'OPTIND', 'odd-name', 'BASH_FUNC_x%%', 'stopgate_order']) {
      const odd = await open(script, { ...PLAIN, [name]: '1' });
      await odd.waitAs('perl', name);
    }
  });

  it('change nothing about a command: its words, its environment, its folder and its input', {
    timeout: 60_000,
  }, async () => {
    const odd = join(folder, `it's "a" $(folder)\n\\`);
    await mkdir(odd, { recursive: true });
    const luck = chance(20_261_116);
    const ascii = ['a', ' ', "'", '"', '\\', '\n', '\r', '\t', '$', '`', '*', '~', '!', ';', '&', '\x01', '\x1b'];
    // what is not ASCII is left to a perl
    const any = [...ascii, '\x7f', 'é', 'Á', '漢'];
    const run = await openBoth();
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
        const { ours, theirs } = await run(command);
        expect(ours, JSON.stringify(command)).toEqual(theirs);
      }
    }
  });

  it('pass on names that shells know', async () => {
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
    };
    const run = await openBoth({ ...PLAIN, ...known });
    const { ours, theirs } = await run({ file: '/usr/bin/env', args: ['-0'] });
    expect(ours).toEqual(theirs);
  });

  it('keep the PWD they were given, whatever it says', async () => {
    for (const PWD of ['/tmp', '/nowhere', `it's\n"odd" ÁÈ`]) {
      const run = await openBoth({ ...PLAIN, PWD, OLDPWD: `before ${PWD}` });
      const { ours, theirs } = await run({ file: '/usr/bin/env', args: ['-0'], cwd: folder });
      expect(ours).toEqual(theirs);
      expect(ours).toHaveProperty('stdout', expect.arrayContaining([`PWD=${PWD}`, `OLDPWD=before ${PWD}`]));
    }
  });

  it('end as the command does', async () => {
    const run = await openBoth();
    const scripts = ['exit 2', 'exit 127', 'kill -9 $$', 'kill -TERM $$', 'no-such-command', 'if', 'echo $-$0'];
    for (const said of [...scripts, 'readlink /proc/self/fd/0']) {
      const { ours, theirs } = await run({ file: 'sh', args: ['-c', said] });
      expect(ours, said).toEqual(theirs);
    }
  });

  it('say why a command was not started, as a perl does', async () => {
    const run = await openBoth();
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
      const { ours, theirs } = await run(command);
      expect(ours, JSON.stringify(command)).toEqual(theirs);
      expect(ours).toHaveProperty('type', 'notStarted');
    }
  });

  it('make way for perls where the folder is one that they cannot be told', async () => {
    const { run, waitAs } = await open(script, PLAIN);
    const shells = await waitAs('dash');
    // they end only after the command has, when nothing else would make the helper look
    for (const shell of shells) process.kill(shell, 'SIGSTOP');
    const cwd = join(folder, 'Á');
    await mkdir(cwd);
    expect(await run({ file: 'pwd', args: ['-P'], cwd })).toMatchObject({ stdout: `${cwd}\n` });
    for (const shell of shells) process.kill(shell, 'SIGCONT');
    const pids = await waitAs('perl');
    const said = await run({ file: 'sh', args: ['-c', 'echo $$'], cwd });
    expect(pids.map((pid) => `${pid}\n`)).toContain('stdout' in said && said.stdout);
  });

  it('are not taken for what a command has started, and pass its marks on all the same', async () => {
    for (const name of Object.values(MARKS)) {
      const value = `it's ${folder}`;
      const env = { ...PLAIN, [name]: value };
      const { run, waiting, waitAs } = await open(script, env);
      await waitAs('dash');
      expect(markedProcesses(name, value), name).toEqual([]);
      const command = { file: '/bin/sh', args: ['-c', `echo "$${name}"; tr '\\0' '\\n' </proc/$$/environ`] };
      const said = await run(command);
      expect('stdout' in said && said.stdout.split('\n'), name).toEqual(
        expect.arrayContaining([value, `${name}=${value}`]),
      );
      await waiting();
      expect(await run({ ...command, env: PLAIN })).not.toMatchObject({ stdout: expect.stringContaining(value) });
    }
  });

  it('leave to a perl what is too long for them', async () => {
    const { run, waiting, waitAs } = await open(script, PLAIN);
    await waiting();
    const long = 'x'.repeat(100_000);
    expect(await run({ file: 'printf', args: ['%s', long] })).toMatchObject({ stdout: long });
    const after = await run({ file: 'sh', args: ['-c', 'echo "$VALUE" | wc -c'], env: { ...PLAIN, VALUE: long } });
    expect(after).toMatchObject({ stdout: '100001\n' });
    await waitAs('dash');
  });
});
