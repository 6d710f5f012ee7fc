import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_LEASE } from '../../fleet/decisions/leaseTimes.ts';
import { commandAgent } from '../../hosts/command/agent.ts';
import { endedRecords } from '../../store/outbox/endedFile.ts';
import type { Store } from '../../store/types.ts';
import { thisWorld, type World } from '../../system/world.ts';
import { type TempFolder, tempFolder } from '../../testing/tempFolder.ts';
import { NO_OUTPUT } from './agentOutput.ts';
import { startAgent } from './startAgent.ts';
import type { WorkerRequest } from './workerRequest.ts';

let folder: TempFolder;
let world: World;
beforeEach(async () => {
  folder = await tempFolder();
  world = { ...thisWorld(), stopgateHome: folder.path };
});
afterEach(async () => {
  await world.processes.endAll();
  await folder[Symbol.asyncDispose]();
});

const SILENT = { out: () => {}, err: () => {} };
const LEASE = { taskId: 't', attemptId: 'a', epoch: 1, workerId: 'w', incarnation: 1 };

/** A command as the agent of a worker. */
function start(script: string) {
  const place = {
    request: { agent: `sh -c '${script}'`, words: [], verify: true } as unknown as WorkerRequest,
    world,
    writer: { ...SILENT, raw: SILENT, outIsTerminal: false, errIsTerminal: false, columns: 80 },
    store: {} as Store,
    ...{ storePlace: 'place', location: 'place', workerId: 'w', host: commandAgent, oneTask: true, binFolder: '/bin' },
    activityFile: path.join(folder.path, 'activity'),
    failureFile: path.join(folder.path, 'failure'),
    spendFile: path.join(folder.path, 'spend'),
    lease: DEFAULT_LEASE,
    report: () => {},
  };
  const task = { incarnation: 1, prompt: 'do it', lease: LEASE, title: '', body: '' };
  const budget = { isLimited: false, usedUp: null };
  return startAgent(place, {
    ...{ task, folder: folder.path, env: { PATH: process.env.PATH ?? '' }, args: [], tail: { ...NO_OUTPUT }, budget },
  });
}

async function runs(): Promise<void> {
  while (!existsSync(path.join(folder.path, 'running'))) await new Promise((resolve) => setImmediate(resolve));
}

/** As on a machine that has too much to do: timers fire first, then the end of a process is read. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe('a command that ends with 0', () => {
  it('has finished, and that is on disk', async () => {
    expect(await start('exit 0').ended).toMatchObject({ ending: 'clean', hasFinished: true });
    expect(await endedRecords(folder.path)).toMatchObject([{ lease: LEASE, folder: folder.path }]);
  });

  it('has finished although its worker, which had not read that yet, stops it', async () => {
    const agent = start('sleep 0.3; touch running; sleep 0.2; exit 0');
    await runs();
    block(1_500);
    void agent.end('the worker is cut off');
    expect(await agent.ended).toMatchObject({ ending: 'clean', hasFinished: true });
  });

  it('has not, when its worker stopped it', async () => {
    const agent = start('trap "exit 0" INT; sleep 0.3; touch running; while :; do sleep 0.05; done');
    await runs();
    await agent.end('the worker is cut off');
    const end = await agent.ended;
    expect([end.ending, end.hasFinished, await endedRecords(folder.path)]).toEqual(['clean', undefined, []]);
  });
});
