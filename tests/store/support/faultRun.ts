import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { NewTask, Store, StoreEvent } from '../../../src/store/types.ts';
import { available } from '../../../src/store/unavailable.ts';
import { type Chance, chance } from '../../support/random.ts';
import { bundle } from './bundle.ts';
import { type Crew, startCrew } from './faultCrew.ts';
import { type LedgerEntry, readLedgers, type WorkerFaults } from './faultLedger.ts';
import { type Watch, watchFeed } from './faultWatch.ts';
import { until } from './until.ts';

/** A store that can be hurt. */
export interface FaultStore {
  readonly spec: string;
  readonly schema?: string | undefined;
  open(): Promise<Store>;
  /** Hurts it in its next way; resolves when it is, or soon will be, there again. */
  disturb(progress: () => number): Promise<void>;
}

export interface FaultPlan {
  readonly seed: number;
  readonly folder: string;
  readonly target: FaultStore;
  readonly tasks: number;
  readonly slots: number;
  readonly sliceMs: number;
  readonly faults: WorkerFaults;
  /** Kills and stops, spread evenly over the tasks; every so many of them the store is hurt too. */
  readonly actions: number;
  readonly disturbEvery: number;
}

export interface FaultReport {
  readonly entries: readonly LedgerEntry[];
  readonly events: readonly StoreEvent[];
  readonly problems: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
}

/** Nothing that is not the store's own doing may end a task here: its limits are out of reach. */
const UNLIMITED = { maxFailures: 1_000, maxReclaims: 1_000, maxReleases: 1_000, backoffMs: 20 };

export async function runFaults(plan: FaultPlan): Promise<FaultReport> {
  const { folder, target } = plan;
  const luck = chance(plan.seed);
  const ledgers = path.join(folder, 'ledgers');
  mkdirSync(ledgers);
  await using store = await target.open();
  await addTasks(store, luck, plan.tasks);
  const watch = watchFeed(store);
  const { spec, schema } = target;
  const script = await bundle(path.join(import.meta.dirname, '../faultWorker.ts'), folder);
  await using crew = startCrew({ ...plan, store, spec, schema, folder: ledgers, script, luck });
  await torment({ plan, watch, crew, luck }).finally(() => watch.stop());
  await crew.finish(30_000);
  await watch.catchUp();
  const entries = readLedgers(ledgers);
  const problems = [...watch.problems, ...crew.problems];
  return { entries, events: watch.events, problems, figures: { ...crew.figures, ...figuresOf(entries, watch) } };
}

interface Scene {
  readonly plan: FaultPlan;
  readonly watch: Watch;
  readonly crew: Crew;
  readonly luck: Chance;
}

async function torment(scene: Scene): Promise<void> {
  const disturbances: Promise<void>[] = [];
  try {
    await hurt(scene, disturbances);
  } finally {
    // whatever happened, nothing is started any more when this is over
    await Promise.allSettled(disturbances);
  }
  await Promise.all(disturbances);
}

async function hurt({ plan, watch, crew, luck }: Scene, disturbances: Promise<void>[]): Promise<void> {
  const { tasks, actions, disturbEvery, target } = plan;
  const broken = () => watch.problems.length + crew.problems.length > 0;
  for (let action = 1; action <= actions; action++) {
    const due = Math.floor((tasks * action) / (actions + 3));
    await until(`${due} tasks are done`, () => broken() || watch.completed >= due, 40_000);
    if (broken()) return;
    if (action % disturbEvery === 0) {
      const disturbance = target.disturb(() => watch.completed);
      // waited for at the end, and until then nobody would be there to hear of it
      disturbance.catch(() => {});
      disturbances.push(disturbance);
    }
    if (luck.maybe(0.6)) crew.killOne();
    else crew.stopOne();
  }
  await until(`I7: all ${tasks} tasks are done`, () => broken() || watch.completed >= tasks, 40_000);
}

/** Of several priorities, so that what was given up is soon taken or waits long; some wait for two others. */
async function addTasks(store: Store, luck: Chance, count: number): Promise<void> {
  const tasks = Array.from({ length: count }, (_, n): NewTask => {
    const dependsOn = n > 50 && luck.maybe(0.15) ? [{ position: luck.upTo(20) + n - 50 }, { position: n - 20 }] : [];
    return { title: `task ${n}`, priority: luck.upTo(4), dependsOn, ...UNLIMITED };
  });
  available(await store.addTasks({ tasks }));
}

function figuresOf(entries: readonly LedgerEntry[], watch: Watch): Record<string, number> {
  const written = (event: LedgerEntry['event']) => entries.filter((entry) => entry.event === event).length;
  const replied = (type: string) => entries.filter((entry) => entry.event === 'reply' && entry.type === type).length;
  return {
    diedAsking: written('died'),
    lostReplies: written('replyLost'),
    duplicates: written('duplicate'),
    reopened: written('reopened'),
    unavailable: written('unavailable'),
    lostAttempts: watch.count('task.lost'),
    expiredOffers: watch.count('task.offerExpired'),
    superseded: replied('superseded'),
    lateAccepted: entries.filter((entry) => entry.event === 'reply' && entry.late).length,
    acked: replied('accepted'),
    events: watch.events.length,
  };
}
