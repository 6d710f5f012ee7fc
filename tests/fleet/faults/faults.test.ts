import { mkdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TempFolder, tempFolder } from '../../../src/testing/tempFolder.ts';
import { whyNoShim } from '../../support/clockShim.ts';
import { namespaces, whyNoNamespaces } from '../../support/machines/namespaces.ts';
import { proxies } from '../../support/machines/proxies.ts';
import { sizeOf } from '../../support/testSize.ts';
import { describeViolation } from './checkHistory.ts';
import { type FaultsPlan, type FaultsReport, runFaults } from './faultsRun.ts';

/** `STOPGATE_FAULT_SEED` runs one again, as far as several machines can be run again. */
const SEED = Number(process.env.STOPGATE_FAULT_SEED ?? Math.floor(Math.random() * 2 ** 31));
const IS_FULL = process.env.STOPGATE_FULL_FAULTS === '1';
const SIZE = IS_FULL
  ? { tasks: 5_000, realTasks: 200, rounds: 5, slots: 12, realWorkers: 1 }
  : {
      ...{ tasks: sizeOf({ small: 110, full: 300 }), realTasks: sizeOf({ small: 6, full: 9 }) },
      ...{ rounds: 1, slots: 4, realWorkers: 1 },
    };
const PLAN: FaultsPlan = { ...SIZE, seed: SEED, leaseMs: 12_000 };
const WITHIN_MS = IS_FULL ? 3_600_000 : 240_000;
const say = (sentence: string) => process.stderr.write(`${sentence}\n`);

const whyProxies = process.env.STOPGATE_FAULT_PROXIES === '1' ? 'STOPGATE_FAULT_PROXIES is set' : whyNoNamespaces();

/** `STOPGATE_FAULT_FOLDER` keeps what the machines wrote. */
async function folderOfRun(): Promise<TempFolder> {
  const kept = process.env.STOPGATE_FAULT_FOLDER;
  if (kept === undefined) return tempFolder();
  mkdirSync(kept, { recursive: true });
  return { path: kept, [Symbol.asyncDispose]: async () => {} };
}

describe('three hosts that are cut off, killed and whose clocks are set, with a server that restarts', () => {
  let report: FaultsReport;
  beforeAll(async () => {
    if (whyProxies !== null) say(`no machines of its own, so proxies cut the connections: ${whyProxies}`);
    if (whyNoShim !== null) say(`no clock is set: ${whyNoShim}`);
    await using folder = await folderOfRun();
    await using machines = await (whyProxies === null ? namespaces() : proxies());
    report = await runFaults(machines, folder.path, { ...PLAN, ...(IS_FULL && { say }) }).catch((error: Error) => {
      throw new Error(`STOPGATE_FAULT_SEED=${SEED}: ${error.message}`, { cause: error });
    });
    say(`faults on ${machines.kind}, seed ${SEED}: ${JSON.stringify(report.figures)}`);
  }, WITHIN_MS);

  it('lose no acknowledged completion, accept none twice, leave none stuck and do no finished work again', () => {
    expect(report.violations.map(describeViolation), `STOPGATE_FAULT_SEED=${SEED}\n${report.log}`).toEqual([]);
    expect(report.figures).toMatchObject({ tasks: PLAN.tasks });
    expect(report.history.tasks.filter(({ state }) => state !== 'done')).toEqual([]);
  });

  it('were hurt by it: attempts were lost, settlements kept', () => {
    const { lostAttempts = 0, kept = 0, pushed = 0 } = report.figures;
    expect(kept).toBeGreaterThan(0);
    expect(pushed).toBeGreaterThanOrEqual(PLAN.realTasks);
    // whether an agent runs long enough on a cut host to be fenced is chance; fence.test.ts has that. Without namespaces all
    // processes are of one machine, which knows that they live
    if (whyProxies === null) expect(lostAttempts).toBeGreaterThan(0);
  });

  it('end by themselves when they are told to', () => {
    expect(
      report.exits.filter((code) => code !== 0),
      report.log,
    ).toEqual([]);
  });
});
