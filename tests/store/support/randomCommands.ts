import fc from 'fast-check';
import type { Lease, Store } from '../../../src/store/types.ts';

/** What a random command is chosen by; small numbers, so that a failing sequence shrinks to a readable one. */
export interface Command {
  readonly name: keyof typeof COMMANDS;
  readonly a: number;
  readonly b: number;
  readonly flag: boolean;
}

/** What is known outside of the stores; the same for both, or they have differed already. */
export interface World {
  readonly taskIds: string[];
  readonly leases: Lease[];
  readonly incarnations: Map<string, number>;
  readonly verifications: { taskId: string; verifyEpoch: number }[];
  readonly leaderEpochs: number[];
  keys: number;
}

export const newWorld = (): World => ({
  taskIds: [],
  leases: [],
  incarnations: new Map(),
  verifications: [],
  leaderEpochs: [],
  keys: 0,
});

type Run = (store: Store, world: World, command: Command) => Promise<object>;

const WORKERS = ['w1', 'w2', 'w3'];
const TYPES = ['build', 'test'];
const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)];
const workerAt = ({ incarnations }: World, index: number) => {
  const workerId = WORKERS[index % WORKERS.length] as string;
  return { workerId, incarnation: incarnations.get(workerId) ?? 1 };
};
const leaseAt = (world: World, { a, flag }: Command): Lease => {
  const latest = flag ? world.leases.at(-1 - (a % 2)) : pick(world.leases, a);
  return latest ?? { taskId: 'none', attemptId: 'none', epoch: 1, workerId: 'w1', incarnation: 1 };
};
const taskAt = ({ taskIds }: World, index: number) => pick(taskIds, index) ?? 'none';
const nothing = { type: 'nothing to do it with' };

const COMMANDS = {
  addTasks: (store, { taskIds }, { a, b, flag }) =>
    store.addTasks({
      tasks: Array.from({ length: 1 + (a % 2) }, (_, n) => ({
        id: `task-${taskIds.length + n}`,
        title: `task ${a}`,
        body: flag ? 'body' : '',
        type: TYPES[b % 2],
        priority: a % 3,
        delayMs: a % 4 === 3 ? 5_000 : 0,
        dependsOn: flag && taskIds.length > 0 ? [taskIds[b % taskIds.length] as string] : [],
        onDependencyFailure: (['wait', 'cancel', 'run'] as const)[a % 3],
        ...(a === 5 && { dedupeKey: `key ${b % 2}` }),
        ...((a + b) % 2 === 0 && { verify: a === 5 ? '' : 'check' }),
        ...(b === 4 && { timeBudgetMs: 10_000 }),
        ...(a + b === 6 && { totalTimeMs: 15_000, costBudgetUsd: 2.5 }),
        ...(a === b && { tokenBudget: 2 }),
        ...(b === 2 && { repository: '/srv/work', base: `base ${a}` }),
        ...(b === 3 && { concurrencyKey: `key ${a % 2}`, concurrencyLimit: 1 + (a % 3 === 0 ? 1 : 0) }),
        maxFailures: 2,
        maxReclaims: 2,
        maxReleases: 3,
        backoffMs: 1_000,
      })),
    }),
  claim: (store, world, { a, b, flag }) =>
    store.claim({
      ...workerAt(world, a),
      claimKey: b === 5 ? `key-${world.keys}` : `key-${++world.keys}`,
      ...(flag && b < 2 && { types: [TYPES[b] as string] }),
      ...(b === 3 && { offerMs: 2_000 }),
      ...(b === 4 && { taskId: taskAt(world, a) }),
    }),
  acknowledge: (store, world, command) => store.acknowledge({ lease: leaseAt(world, command) }),
  heartbeat: (store, world, command) => {
    const lease = leaseAt(world, command);
    const by = command.flag ? lease : workerAt(world, command.b);
    return store.heartbeat({
      workerId: by.workerId,
      incarnation: by.incarnation,
      ...(command.b < 4 && { lease }),
      ...(command.b === 1 && { checkpoint: `notes ${command.a}`, details: { tokens: command.a } }),
      ...(command.b === 2 && { activity: true }),
      ...(command.b === 3 && { tool: command.flag ? ('started' as const) : ('ended' as const) }),
    });
  },
  complete: (store, world, command) =>
    store.complete({
      lease: leaseAt(world, command),
      result: `result ${command.b}`,
      ...(command.b !== 0 && { details: { headCommit: 'abc' } }),
      ...(command.b > 2 && {
        next: {
          claimKey: command.b === 5 && command.flag ? `key-${world.keys}` : `key-${++world.keys}`,
          ...(command.b === 4 && { offerMs: 2_000 }),
          ...(command.b === 5 && { types: [TYPES[command.a % 2] as string] }),
        },
      }),
    }),
  fail: (store, world, command) =>
    store.fail({
      lease: leaseAt(world, command),
      error: `error ${command.b}`,
      ...(command.a % 2 === 0 && { details: { tokens: command.b, costUsd: command.b / 4 } }),
      ...(command.b === 5 && { final: true }),
    }),
  release: (store, world, command) =>
    store.release({
      lease: leaseAt(world, command),
      reason: (['released', 'rate_limited', 'timed_out', 'unserved'] as const)[command.b % 4] ?? 'released',
      delayMs: command.b * 100,
      ...(command.a === 3 && { backoff: false }),
      ...(command.a % 2 === 0 && { details: { tokens: command.b, costUsd: command.b / 4 } }),
    }),
  extend: (store, world, command) => store.extend({ lease: leaseAt(world, command), byMs: 1_000 }),
  amendTask: (store, world, { a, b, flag }) =>
    store.amendTask({
      taskId: taskAt(world, a),
      ...(flag ? { title: `title ${b}` } : { body: `body ${b}` }),
      ...(b < 4 && { addDependsOn: [taskAt(world, a + b), taskAt(world, b)] }),
      ...(b === 5 && {
        priority: a,
        tokenBudget: a === 0 ? null : a,
        totalTimeMs: 20_000,
        base: a === 0 ? null : 'main',
      }),
      ...(b === 3 && { concurrencyKey: flag ? null : `key ${a % 2}` }),
      ...(b === 4 && { queue: flag ? 'default' : 'other', costBudgetUsd: a / 2, timeBudgetMs: null }),
      onDependencyFailure: (['wait', 'cancel', 'run'] as const)[b % 3],
    }),
  cancel: (store, world, { a }) => store.cancel({ taskId: taskAt(world, a), reason: 'random', actor: 'me' }),
  redrive: (store, world, { a }) => store.redrive({ taskId: taskAt(world, a) }),
  hold: (store, world, { a, b }) => store.hold({ taskId: taskAt(world, a), reason: `hold ${b % 2}` }),
  unhold: (store, world, { a }) => store.unhold({ taskId: taskAt(world, a) }),
  registerWorker: (store, world, { a, b, flag }) => {
    const { workerId, incarnation } = workerAt(world, a);
    const facts = { kind: 'default', pid: b, accountKey: `account ${b % 2}`, ...(flag && { types: ['build'] }) };
    return store.registerWorker({ workerId, ...facts, ...(b === 5 && { incarnation }) });
  },
  launch: (store, world, { a, b, flag }) => {
    const leader = { name: 'fleet', holder: 'c1', epoch: pick(world.leaderEpochs, b) ?? 1 };
    return store.launch({ slot: workerAt(world, a).workerId, deadlineMs: 3_000, ...(flag && { leader }) });
  },
  endLaunch: (store, world, { a }) => {
    const { workerId: slot, incarnation } = workerAt(world, a);
    return store.endLaunch({ slot, incarnation, result: 'gone' });
  },
  updateWorker: (store, world, { a, b, flag }) =>
    store.updateWorker({
      ...workerAt(world, a),
      ...(flag && { pid: b, sessionId: b === 2 ? null : `session ${b}` }),
      ...(b < 3 && { stopBlock: { reason: `reason ${b % 2}` } }),
      ...(b === 3 && { stopBlock: 'clear' as const }),
    }),
  drainWorker: (store, world, { a }) => store.drainWorker(workerAt(world, a)),
  stopWorker: (store, world, { a }) => store.stopWorker({ ...workerAt(world, a), exitCode: 0, exitReason: 'idle' }),
  reap: (store, world, { a, b }) =>
    store.reap({
      ...workerAt(world, a),
      evidence: b % 2 === 0 ? 'exited' : 'lapsed',
      staleAfterMs: 2_000,
      graceMs: 1_000,
    }),
  takeVerification: (store, _, { b }) => store.takeVerification({ holder: `v${b}`, ttlMs: 10_000 }),
  renewVerification: async (store, { verifications }, { a }) => {
    const taken = verifications.at(-1 - (a % 2)) ?? verifications[0];
    return taken ? store.renewVerification({ ...taken, ttlMs: 10_000 }) : nothing;
  },
  settleVerification: async (store, { verifications }, { a, b }) => {
    const taken = verifications.at(-1 - (a % 2)) ?? verifications[0];
    if (!taken) return nothing;
    const notes = b % 3 === 0 ? { notes: `line ${b}`, details: { verifiedBy: `v${b}` } } : {};
    const verdict = b % 2 === 0 ? 'pass' : 'reject';
    return store.settleVerification({ ...taken, verdict, reason: `look ${b}`, ...notes });
  },
  expireOffers: (store) => store.expireOffers(),
  pauseAccount: (store, _, { a, b }) =>
    store.pauseAccount({ key: `account ${a % 2}`, until: { ms: b * 1_000 }, source: 'test' }),
  resumeAccount: (store, _, { a }) => store.resumeAccount({ key: `account ${a % 2}` }),
  pauseQueue: (store) => store.pauseQueue({ queue: 'default', reason: 'x' }),
  resumeQueue: (store) => store.resumeQueue({ queue: 'default' }),
  limitQueue: (store, _, { a, flag }) => store.limitQueue({ queue: 'default', limit: flag || a === 0 ? null : a }),
  limits: (store) => store.limits(),
  prunable: (store, _, { a, b, flag }) => store.prunable({ olderThanMs: a * 500, dead: flag, limit: 1 + b }),
  prune: (store, { taskIds }, { a, b, flag }) =>
    store.prune({ olderThanMs: a * 500, dead: flag, ids: taskIds.slice(0, 2 * b) }),
  lead: (store, _, { a, b }) => store.lead({ name: 'fleet', holder: `c${a % 2}`, ttlMs: b * 1_000 }),
  readiness: (store, _, { b, flag }) => store.readiness(flag ? { types: [TYPES[b % 2] as string] } : {}),
  listTasks: (store, _, { a, b, flag }) =>
    store.listTasks({
      order: flag ? 'newest' : 'oldest',
      limit: 1 + a,
      ...(b < 3 && { statuses: (['ready', 'blocked', 'dead', 'delayed'] as const).slice(b) }),
    }),
} as const satisfies Readonly<Record<string, Run>>;

/** What workers do most is chosen most. */
const WEIGHTS: Partial<Record<Command['name'], number>> = {
  addTasks: 8,
  claim: 24,
  complete: 12,
  fail: 4,
  release: 7,
  heartbeat: 4,
  registerWorker: 8,
  reap: 8,
  acknowledge: 3,
  takeVerification: 7,
  renewVerification: 5,
  settleVerification: 9,
  pauseQueue: 1,
  limitQueue: 1,
  limits: 1,
  prunable: 1,
  prune: 1,
};

const small = fc.nat({ max: 5 });
const names = Object.keys(COMMANDS) as Command['name'][];

export const commandArbitrary: fc.Arbitrary<Command> = fc.record({
  name: fc.oneof(...names.map((name) => ({ weight: WEIGHTS[name] ?? 2, arbitrary: fc.constant(name) }))),
  a: small,
  b: small,
  flag: fc.boolean(),
});

export function runCommand(store: Store, world: World, command: Command): Promise<object> {
  return (COMMANDS[command.name] as Run)(store, world, command);
}

/** What the outcome of a command lets others be chosen by. */
export function learn(world: World, command: Command, outcome: object): void {
  const { name, a } = command;
  const said = outcome as Record<string, unknown> & { type: string };
  const workerId = WORKERS[a % WORKERS.length] as string;
  if (said.type === 'added') for (const { id } of said.tasks as { id: string }[]) addOnce(world.taskIds, id);
  if (said.type === 'claimed') world.leases.push(said.lease as Lease);
  if (said.type === 'accepted' && said.next) learn(world, { ...command, name: 'claim' }, said.next);
  if (said.type === 'registered' || said.type === 'launching')
    world.incarnations.set(workerId, Number(said.incarnation));
  if (said.type === 'leading') world.leaderEpochs.push(Number(said.epoch));
  if (said.type === 'taken' && name === 'takeVerification') {
    world.verifications.push({ taskId: (said.task as { id: string }).id, verifyEpoch: Number(said.verifyEpoch) });
  }
}

function addOnce(ids: string[], id: string): void {
  if (!ids.includes(id)) ids.push(id);
}
