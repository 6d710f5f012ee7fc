import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../system/clock.ts';
import { startDetached } from '../../system/detachedProcess.ts';
import { MARKS } from '../../system/marks.ts';
import { isSameProcess } from '../../system/processLife.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import { workerMark, workerProcesses } from './workerProcesses.ts';

const STORE = '/a/store.db';
const processes = workerProcesses(systemClock, STORE);

/** A worker that runs this program; it is ready when it has written `ready`. */
async function start(folder: TempFolder, program: string) {
  const who = { id: 'f-w1', incarnation: Math.floor(Math.random() * 1e9) };
  const started = await startDetached({
    file: process.execPath,
    args: ['-e', program],
    cwd: folder.path,
    env: { PATH: process.env.PATH ?? '', [MARKS.worker]: workerMark(STORE, who) },
    logFile: path.join(folder.path, 'worker.log'),
  });
  if (started.type === 'notStarted') throw new Error(started.reason);
  await fileIn(folder, 'ready');
  return { ...who, ...started };
}

async function fileIn(folder: TempFolder, name: string): Promise<string> {
  const file = path.join(folder.path, name);
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await new Promise((resolve) => setImmediate(resolve));
  return readFileSync(file, 'utf8');
}

const READY = `require('fs').writeFileSync('ready', '1');`;
const STAY = 'setInterval(() => {}, 1000);';
const CHILD = `const child = require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(STAY)}], { detached: true, stdio: 'ignore' });
  require('fs').writeFileSync('child', String(child.pid));`;

describe("a worker's processes", () => {
  it('run, and are gone after they are ended', async () => {
    await using folder = await tempFolder();
    const worker = await start(folder, READY + STAY);
    expect(processes.sight(worker)).toBe('running');
    expect(await processes.end(worker, 5_000)).toBe(true);
    expect(processes.sight(worker)).toBe('gone');
    expect(await worker.ended).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('are killed when they ignore SIGTERM', async () => {
    await using folder = await tempFolder();
    const worker = await start(folder, `process.on('SIGTERM', () => {});${READY}${STAY}`);
    expect(await processes.end(worker, 100)).toBe(true);
    expect(await worker.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('get SIGTERM twice, because some finish their work after the first one', async () => {
    await using folder = await tempFolder();
    const twice = `let signals = 0; process.on('SIGTERM', () => { if (++signals === 2) process.exit(7); });`;
    const worker = await start(folder, twice + READY + STAY);
    expect(await processes.end(worker, 2_000)).toBe(true);
    expect(await worker.ended).toEqual({ code: 7, signal: null });
  });

  it('are orphaned while a child in a group of its own lives on after kill -9, and that is found and ended', async () => {
    await using folder = await tempFolder();
    const worker = await start(folder, CHILD + READY + STAY);
    const child = Number(await fileIn(folder, 'child'));
    process.kill(worker.pid, 'SIGKILL');
    await worker.ended;
    expect(processes.sight(worker)).toBe('orphaned');
    expect(processes.strangerSight(worker)).toBe('gone');
    expect(await processes.end(worker, 5_000)).toBe(true);
    // a process that is just ending has no environment any more, but still exists briefly
    await expect.poll(() => isSameProcess(child, undefined)).toBe(false);
    expect(processes.sight(worker)).toBe('gone');
  });

  it('are not those of another with the same number', async () => {
    await using folder = await tempFolder();
    const worker = await start(folder, READY + STAY);
    expect(processes.sight({ ...worker, pidStart: '1', incarnation: 0 })).toBe('gone');
    expect(processes.sight({ ...worker, pid: null })).toBe('unknown');
    await processes.end(worker, 5_000);
  });

  it('report a failed start as a sentence', async () => {
    await using folder = await tempFolder();
    const spec = { file: './nothing', args: [], cwd: folder.path, env: {}, logFile: path.join(folder.path, 'log') };
    expect(await startDetached(spec)).toEqual({
      type: 'notStarted',
      reason: 'Could not start ./nothing: there is no such executable.',
    });
  });
});
