import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sizeOf } from '../../../tests/support/testSize.ts';
import type { HookEntry } from '../../schemas/settingsHold.ts';
import { systemClock } from '../../system/clock.ts';
import { systemIds } from '../../system/ids.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { hookEntries } from '../claudeCode/entries.ts';
import { CLAUDE_SETTINGS as format } from '../claudeCode/wiring.ts';
import type { HostFeature } from '../host.ts';
import { heldFiles, recordFile } from './holdRecord.ts';
import { holdSettings, removeSettings } from './holdSettings.ts';

const SCRIPT = path.join(import.meta.dirname, '../../../tests/support/holdingProcess.mjs');
const ORIGINAL = '{\r\n\t"model": "opus",\r\n\t"hooks": { "Stop": [] }\r\n}';
const PATHS = { packageRoot: '/opt/stopgate', stopgate: ['/bin/node', '/opt/stopgate/bin/s.js'] };
const COUNTDOWN = ['PostToolBatch', 'UserPromptSubmit', 'SessionStart'];
const entriesOf = (...features: HostFeature[]) => hookEntries(features, PATHS);

interface Place extends AsyncDisposable {
  readonly file: string;
  readonly stopgateHome: string;
  readonly world: { stopgateHome: string; clock: typeof systemClock; ids: typeof systemIds };
  /** The settings file's text, or what is there instead. */
  text(): string;
  owned(): string[];
  start(more?: object): Launch;
  /** Of all files, to try another thing on the same. */
  copy(): { bringBack(): void };
}

interface Launch {
  readonly child: ChildProcess;
  prints(text: string): Promise<void>;
  readonly ended: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>;
}

/** A project, with settings or without even a folder for them, and a home of its own. */
async function place(original: string | null = ORIGINAL): Promise<Place> {
  const folder = await tempFolder();
  const file = path.join(folder.path, 'project', '.claude', 'settings.local.json');
  mkdirSync(path.join(folder.path, 'project'));
  if (original !== null) {
    mkdirSync(path.dirname(file));
    writeFileSync(file, original);
    chmodSync(file, 0o640);
  }
  const stopgateHome = path.join(folder.path, 'home');
  const started: ChildProcess[] = [];
  return {
    file,
    stopgateHome,
    world: { stopgateHome, clock: systemClock, ids: systemIds },
    text: () =>
      existsSync(file) ? readFileSync(file, 'utf8') : `absent, ${readdirSync(path.join(folder.path, 'project'))}`,
    owned: () => {
      const owned = format.owned(existsSync(file) ? readFileSync(file, 'utf8') : '');
      return owned.type === 'found' ? owned.keys.map((key) => key.replace(/ .*/, '')) : [owned.message];
    },
    start: (more = {}) => {
      const child = spawn(process.execPath, [SCRIPT, JSON.stringify({ file, stopgateHome, ...more })], {
        cwd: folder.path,
      });
      started.push(child);
      return follow(child);
    },
    copy: () => {
      const kept = path.join(folder.path, 'kept');
      const parts = ['project', 'home'].map((name) => path.join(folder.path, name));
      const copied = (from: string) => path.join(kept, path.basename(from));
      for (const part of parts.filter((one) => existsSync(one))) cpSync(part, copied(part), { recursive: true });
      const bringBack = () => {
        for (const part of parts) {
          rmSync(part, { recursive: true, force: true });
          if (existsSync(copied(part))) cpSync(copied(part), part, { recursive: true });
        }
      };
      return { bringBack };
    },
    [Symbol.asyncDispose]: async () => {
      for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

function follow(child: ChildProcess): Launch {
  let [stdout, stderr] = ['', ''];
  child.stdin?.on('error', () => {});
  child.stderr?.on('data', (chunk) => (stderr += chunk));
  child.stdout?.on('data', (chunk) => (stdout += chunk));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  const prints = async (text: string) => {
    while (!stdout.includes(text)) {
      const more = child.stdout ? once(child.stdout, 'data') : Promise.reject(new Error('no output'));
      const over = ended.then((end) => {
        if (!stdout.includes(text)) throw new Error(`ended without printing ${text}: ${JSON.stringify(end)}`);
      });
      await Promise.race([more, over]);
    }
  };
  return { child, prints, ended };
}

async function letGo(launch: Launch): Promise<void> {
  launch.child.stdin?.write('now\n');
  expect(await launch.ended).toMatchObject({ code: 0, stderr: '' });
}

/** Nothing but the settings file is beside it, and nothing about it is recorded. */
async function expectClean({ file, stopgateHome, text }: Place, original: string | null = ORIGINAL): Promise<void> {
  expect(text()).toBe(original ?? 'absent, ');
  if (original !== null) {
    expect(readdirSync(path.dirname(file))).toEqual(['settings.local.json']);
    expect(statSync(file).mode & 0o777).toBe(0o640);
  }
  expect(await heldFiles(stopgateHome)).toEqual([]);
}

async function hold(at: Place, kind: 'init' | 'launch', ...features: HostFeature[]) {
  const held = await holdSettings({ format, file: at.file, kind, entries: entriesOf(...features) }, at.world);
  if (held.type !== 'held') throw new Error(held.reason);
  return held;
}

describe('holdSettings', () => {
  it.each<[string, string | null]>([
    ['a file', ORIGINAL],
    ['an empty file', ''],
    ['no file and no folder', null],
  ])('puts entries into %s and brings back every byte, its mode and its folder', async (_name, original) => {
    await using at = await place(original);
    const held = await hold(at, 'launch', 'countdown');
    expect(at.owned()).toEqual(COUNTDOWN);
    expect(statSync(recordFile(at.stopgateHome, at.file)).mode & 0o777).toBe(0o600);
    expect(await held.release()).toMatchObject({ type: 'released', changed: true, exact: true, holders: [] });
    await expectClean(at, original);
  });

  it('keeps what one still needs when another is released, in either order', async () => {
    await using at = await place();
    const init = await hold(at, 'init', 'checks', 'countdown');
    const afterInit = at.text();
    const launch = await hold(at, 'launch', 'countdown', 'landing');
    expect(at.owned()).toEqual([
      'Stop',
      'StopFailure',
      'SessionStart',
      // of the checks, then of the landing
      'PreToolUse',
      'PreToolUse',
      'PostToolBatch',
      'UserPromptSubmit',
    ]);
    await launch.release();
    expect(at.text()).toBe(afterInit);
    const second = await hold(at, 'launch', 'countdown', 'landing');
    await init.release();
    expect(at.owned()).toEqual([...COUNTDOWN, 'PreToolUse']);
    await second.release();
    await expectClean(at);
  });

  it('is the same after a second init, and follows what that one wants', async () => {
    await using at = await place();
    await hold(at, 'init', 'checks', 'countdown');
    const once = at.text();
    expect(await hold(at, 'init', 'checks', 'countdown')).toMatchObject({ changed: false });
    expect(at.text()).toBe(once);
    await hold(at, 'init', 'landing');
    expect(at.owned()).toEqual(['PreToolUse']);
    await removeSettings({ format, file: at.file }, at.world);
    await expectClean(at);
  });

  it('writes the new path in place when the checkout moved, record or none', async () => {
    await using at = await place('{"a": 1}');
    await hold(at, 'init', 'countdown');
    const before = at.text();
    rmSync(recordFile(at.stopgateHome, at.file));
    const entries = hookEntries(['countdown'], { ...PATHS, packageRoot: '/new/place' });
    await holdSettings({ format, file: at.file, kind: 'init', entries }, at.world);
    expect(at.text()).toBe(before.replaceAll('/opt/stopgate/profiles', '/new/place/profiles'));
    await removeSettings({ format, file: at.file }, at.world);
    expect(at.text()).toBe('{"a": 1}');
  });

  describe('over the settings of an older Stopgate', () => {
    const script = '"/opt/stopgate/profiles/default/hooks/budget-countdown.sh" # stopgate';
    const older: readonly HookEntry[] = [
      {
        event: 'Stop',
        command: '"/bin/node" "/opt/stopgate/bin/s.js" hook stop --timeout 3600 # stopgate',
        timeout: 3600,
      },
      { event: 'PostToolUse', matcher: '*', command: script, timeout: 5 },
    ];
    const upgrade = (at: Place) => hold(at, 'init', 'checks', 'countdown');
    const upgraded = ['Stop', 'StopFailure', 'SessionStart', 'PreToolUse', 'PostToolBatch', 'UserPromptSubmit'];

    it('init brings them up to date, and remove every byte back', async () => {
      await using at = await place();
      await holdSettings({ format, file: at.file, kind: 'init', entries: older }, at.world);
      expect(at.owned()).toEqual(['Stop', 'PostToolUse']);
      await upgrade(at);
      expect(at.owned()).toEqual(upgraded);
      expect(at.text()).toMatch(/"statusMessage": ?"stopgate"/);
      await removeSettings({ format, file: at.file }, at.world);
      await expectClean(at, ORIGINAL);
    });

    it.each(['edited', 'without a record'])('init brings them up to date when the file is %s', async (how) => {
      await using at = await place();
      await holdSettings({ format, file: at.file, kind: 'init', entries: older }, at.world);
      if (how === 'edited') writeFileSync(at.file, at.text().replace('"opus"', '"sonnet"'));
      else rmSync(path.join(at.world.stopgateHome, 'hosts'), { recursive: true });
      await upgrade(at);
      expect(at.owned()).toEqual(upgraded);
      expect(at.text()).toMatch(/"statusMessage": ?"stopgate"/);
      await removeSettings({ format, file: at.file }, at.world);
      expect(at.owned()).toEqual([]);
      if (how === 'edited') await expectClean(at, ORIGINAL.replace('"opus"', '"sonnet"'));
    });
  });

  it('removes only its own entries from an edited file', async () => {
    await using at = await place();
    const held = await hold(at, 'launch', 'countdown', 'landing');
    writeFileSync(at.file, at.text().replace('"opus"', '"sonnet"'));
    expect(await held.release()).toMatchObject({ changed: true, exact: false });
    await expectClean(at, ORIGINAL.replace('"opus"', '"sonnet"'));
  });

  it('does not put back what a person took out by hand', async () => {
    await using at = await place();
    await hold(at, 'init', 'checks', 'countdown');
    writeFileSync(at.file, '{}\n');
    const launch = await hold(at, 'launch', 'landing');
    expect(at.owned()).toEqual(['PreToolUse']);
    await launch.release();
    await expectClean(at, '{}\n');
  });

  it('does not restore a file that was deleted', async () => {
    await using at = await place();
    const held = await hold(at, 'launch', 'countdown');
    rmSync(at.file);
    expect(await held.release()).toMatchObject({ type: 'released', changed: false });
    expect(at.text()).toBe('absent, .claude');
  });

  it('keeps a folder it made when something else is in it by now', async () => {
    await using at = await place(null);
    const held = await hold(at, 'launch', 'countdown');
    writeFileSync(path.join(path.dirname(at.file), 'other.md'), 'theirs');
    await held.release();
    expect(readdirSync(path.dirname(at.file))).toEqual(['other.md']);
  });

  it('refuses a file that is broken now, names the position, and finishes later', async () => {
    await using at = await place();
    const held = await hold(at, 'launch', 'countdown');
    const good = at.text();
    writeFileSync(at.file, '{\n  "a": 1\n  "b": 2\n}');
    expect(await held.release()).toEqual({
      type: 'refused',
      reason: `${at.file}:3:3 cannot be edited: a comma or \`}\` should be where "\\"" is, and Claude Code ignores a file that is not plain JSON; fix it and run this again. Nothing was changed.`,
    });
    expect(at.text()).toBe('{\n  "a": 1\n  "b": 2\n}');
    writeFileSync(at.file, good);
    await held.release();
    await expectClean(at);
  });

  it('only looks in a dry run', async () => {
    await using at = await place();
    const wish = { file: at.file, format, kind: 'init', entries: entriesOf('countdown'), dryRun: true } as const;
    expect(await holdSettings(wish, at.world)).toMatchObject({ type: 'held', changed: true });
    expect(at.text()).toBe(ORIGINAL);
    expect(existsSync(at.stopgateHome)).toBe(false);
  });

  it('recognizes entries by their mark when the record is lost or damaged, with a note', async () => {
    await using at = await place('{\n  "a": 1\n}\n');
    await hold(at, 'init', 'checks', 'countdown', 'landing');
    writeFileSync(recordFile(at.stopgateHome, at.file), '{"file":');
    const removed = await removeSettings({ format, file: at.file }, at.world);
    expect(removed).toMatchObject({ notes: [expect.stringContaining('recognized by their mark')] });
    await expectClean(at, '{\n  "a": 1\n}\n');
  });

  it("brings back marks that were there before a launch: they are the person's", async () => {
    const theirs = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x # stopgate"}]}]}}';
    await using at = await place(theirs);
    const held = await hold(at, 'launch', 'countdown');
    await held.release();
    await expectClean(at, theirs);
    // also when the one before was killed between its record and its write
    await at.start({ killAt: 1, when: 'after' }).ended;
    expect(await heldFiles(at.stopgateHome)).toEqual([at.file]);
    await (await hold(at, 'launch', 'countdown')).release();
    await expectClean(at, theirs);
  });
});

describe('holding in several processes', () => {
  it('two launches in one folder do not disturb each other', async () => {
    await using at = await place();
    const [first, second] = [at.start(), at.start({ features: ['countdown', 'landing'] })];
    await Promise.all([first.prints('held'), second.prints('held')]);
    expect(at.owned()).toEqual([...COUNTDOWN, 'PreToolUse']);
    await letGo(first);
    expect(at.owned()).toEqual([...COUNTDOWN, 'PreToolUse']);
    await letGo(second);
    await expectClean(at);
  });

  it('several in parallel end byte-equal', async () => {
    await using at = await place();
    const all = Array.from({ length: sizeOf({ small: 4, full: 8 }) }, () => at.start({ waits: false }));
    for (const end of await Promise.all(all.map(({ ended }) => ended)))
      expect(end).toMatchObject({ code: 0, stderr: '' });
    await expectClean(at);
  });

  it('a launch that runs keeps its entries when init is removed, unless forced', async () => {
    await using at = await place();
    await hold(at, 'init', 'checks', 'countdown');
    const launch = at.start();
    await launch.prints('held');
    const removed = await removeSettings({ format, file: at.file }, at.world);
    expect(removed).toMatchObject({ holders: [{ kind: 'launch', pid: launch.child.pid }], gone: [] });
    expect(at.owned()).toEqual(COUNTDOWN);
    await removeSettings({ format, file: at.file, force: true }, at.world);
    await expectClean(at);
    await letGo(launch);
    await expectClean(at);
  });

  it('what a killed launch left goes with the next one, or with one that runs beside it', async () => {
    await using at = await place();
    const [killed, beside] = [at.start({ features: ['landing'] }), at.start()];
    await Promise.all([killed.prints('held'), beside.prints('held')]);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await letGo(beside);
    await expectClean(at);
  });

  it('a reused pid is not mistaken for the launch that had it', async () => {
    await using at = await place();
    await hold(at, 'launch', 'countdown');
    const record = recordFile(at.stopgateHome, at.file);
    writeFileSync(record, readFileSync(record, 'utf8').replace(/"pidStartedAt": "[^"]+"/, '"pidStartedAt": "1"'));
    expect(await removeSettings({ format, file: at.file }, at.world)).toMatchObject({ gone: [{ pid: process.pid }] });
    await expectClean(at);
  });
});

describe.each<[string, string | null]>([
  ['a file', ORIGINAL],
  ['no file and no folder', null],
])('killed at any step, with %s', (_name, original) => {
  // a dozen and a half processes are a lot for a busy machine
  it('is restored to the byte by remove, and by the next launch', { timeout: 120_000 }, async () => {
    await using whole = await place(original);
    const end = await whole.start({ waits: false }).ended;
    const steps = /released (.*)/.exec(end.stdout)?.[1]?.split(' ') ?? [];
    expect(steps.length).toBeGreaterThanOrEqual(6);
    const kills = steps.flatMap((name, index) => [
      { killAt: index + 1, when: 'after' },
      ...(name === 'writeSettings' ? [{ killAt: index + 1, when: 'within' }] : []),
    ]);
    await Promise.all(
      kills.map(async (kill) => {
        await using at = await place(original);
        const killed = await at.start({ waits: false, ...kill }).ended;
        expect({ ...kill, signal: killed.signal }).toEqual({ ...kill, signal: 'SIGKILL' });
        const left = at.copy();
        await removeSettings({ format, file: at.file }, at.world);
        await expectClean(at, original);
        left.bringBack();
        const next = await hold(at, 'launch', 'landing');
        expect(at.owned()).toEqual(['PreToolUse']);
        await next.release();
        await expectClean(at, original);
      }),
    );
  });
});
