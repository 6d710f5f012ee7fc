import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Store, StoreEvent } from '../../src/store/types.ts';
import { available } from '../../src/store/unavailable.ts';
import { sizeOf } from '../support/testSize.ts';
import { databaseOfThisFile } from './support/postgresStores.ts';
import { type Command, commandArbitrary, learn, newWorld, runCommand, type World } from './support/randomCommands.ts';
import { assertSound } from './support/soundness.ts';
import { testFiles } from './support/sqliteStores.ts';

const START = Date.UTC(2026, 0, 1);
const RUNS = Number(process.env.STOPGATE_MODEL_RUNS ?? sizeOf({ small: 8, full: 25 }));
/** With 8 sequences each, or 25, these meet everything that must be seen. */
const SEEDS = RUNS < 25 ? [42, 55] : [113, 117];
const database = databaseOfThisFile({ durable: false });

/** Time moves before each command, sometimes far. */
const stepArbitrary = fc.record({
  command: commandArbitrary,
  advanceMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(1, 500, 1_000, 3_000, 60_000)),
});

it('both stores answer alike, and stay sound, whatever they are asked', {
  timeout: 8_000 * Math.max(25, RUNS),
}, async () => {
  // the same sequences every time, which are known to meet what matters
  for (const seed of SEEDS) await compareSequences({ seed, numRuns: RUNS });
  expect(MUST_BE_SEEN.filter((answer) => !seen.has(answer))).toEqual([]);
  // and new ones
  await compareSequences({ numRuns: Math.ceil(RUNS / 2) });
});

async function compareSequences(parameters: { readonly seed?: number; readonly numRuns: number }): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
      await using files = await testFiles('memory', START);
      await using schema = await database.schema(START);
      const [sqlite, postgres] = [
        await files.open('x', constantly(0.25)),
        await schema.open({ random: constantly(0.25) }),
      ];
      const world = newWorld();
      for (const command of BEGINNING) await compare(sqlite, postgres, world, command);
      for (const { command, advanceMs } of steps) {
        if (advanceMs > 0) await Promise.all([files.clock.advance(advanceMs), schema.advance(advanceMs)]);
        await compare(sqlite, postgres, world, command);
      }
      expect(await everything(postgres)).toEqual(await everything(sqlite));
      await assertSound(sqlite);
      expect(await schema.query(OWN_ROWS_THAT_ARE_WRONG)).toEqual([]);
    }),
    // a failure is made smaller for so long at most: then it is told, before the test itself runs out of time
    { ...parameters, unbiased: true, skipAllAfterTimeLimit: 2_000 * Math.max(25, RUNS) },
  );
}

/** What PostgreSQL keeps a second time, so that its indices and claims find it. */
const OWN_ROWS_THAT_ARE_WRONG = `
  SELECT t.id, t.state, p.place, t.live_key FROM stopgate.tasks t LEFT JOIN (
      SELECT task_seq, 'ready' AS place, queue, type, priority, run_at, false AS is_held FROM stopgate.ready
      UNION ALL SELECT a.task_seq, a.place, a.queue, t.type, t.priority, t.run_at, a.is_held FROM stopgate.apart a
        JOIN stopgate.tasks t ON t.seq = a.task_seq) p ON p.task_seq = t.seq
    WHERE p.place IS DISTINCT FROM stopgate.place_of(t.state, t.unmet, t.hold_reason)
      OR t.live_key IS DISTINCT FROM stopgate.live_key_of(t.state, t.dedupe_key)
      OR (p.queue, p.type, p.priority, p.run_at) <> (CASE p.place WHEN 'ready' THEN stopgate.lane_of(t.queue, t.concurrency_key)
        ELSE t.queue END, t.type, t.priority, t.run_at)
      OR (p.place <> 'ready' AND p.is_held <> (t.hold_reason IS NOT NULL))
      OR (t.body IS NULL) <> EXISTS (SELECT 1 FROM stopgate.bodies b WHERE b.task_seq = t.seq)
  UNION ALL SELECT t.id, 'is waited for', NULL, NULL FROM stopgate.tasks t JOIN stopgate.dependencies d ON d.depends_on = t.seq
    WHERE NOT t.waited_for
  UNION ALL SELECT t.id, 'was told later', NULL, NULL FROM stopgate.tasks t JOIN stopgate.events e ON e.task_seq = t.seq
    WHERE e.xid > t.told
  UNION ALL (SELECT o.key, o.kind, o.until::text, NULL FROM (
    SELECT * FROM stopgate.obstacles WHERE kind <> 'lanes' EXCEPT ALL (
      SELECT 'queue', name, name, 0, 9223372036854775807 FROM stopgate.queues WHERE paused_at IS NOT NULL
      UNION ALL SELECT 'limit', name, name, 0, 9223372036854775807 FROM stopgate.queues WHERE max_claimed IS NOT NULL
      UNION ALL SELECT 'account', key, key, 0, paused_until FROM stopgate.accounts WHERE paused_until IS NOT NULL
      UNION ALL SELECT 'offer', id, NULL, offer_until, 9223372036854775807 FROM stopgate.attempts WHERE state = 'offered')) o)
  UNION ALL SELECT t.id, 'is not its child', NULL, NULL FROM stopgate.tasks t LEFT JOIN stopgate.children c ON c.task_seq = t.seq
    WHERE t.parent_id IS DISTINCT FROM c.parent_id
  UNION ALL SELECT r.queue, 'has no obstacle of lanes', NULL, NULL FROM stopgate.ready r WHERE strpos(r.queue, chr(1)) > 0
    AND NOT EXISTS (SELECT 1 FROM stopgate.obstacles o WHERE o.kind = 'lanes' AND o.key = split_part(r.queue, chr(1), 1))
  UNION ALL SELECT a.id, 'has no obstacle', NULL, NULL FROM stopgate.attempts a
    WHERE a.state = 'offered' AND NOT EXISTS (SELECT 1 FROM stopgate.obstacles o WHERE o.key = a.id)`;

/** Two workers and some tasks, so that random commands have something to meet. */
const BEGINNING: readonly Command[] = [
  { name: 'registerWorker', a: 0, b: 0, flag: false },
  { name: 'registerWorker', a: 1, b: 1, flag: false },
  { name: 'addTasks', a: 1, b: 0, flag: false },
  { name: 'addTasks', a: 1, b: 5, flag: true },
  { name: 'claim', a: 0, b: 2, flag: false },
];

const constantly = (value: number) => () => value;

const MUST_BE_SEEN = [
  'claim claimed',
  'claim empty',
  'complete accepted',
  'complete accepted late',
  'complete accepted next claimed',
  'complete accepted next empty',
  'complete superseded',
  'complete settled',
  'fail requeued',
  'fail dead',
  'release requeued',
  'release dead',
  'heartbeat ok',
  'heartbeat superseded task',
  'amendTask amended',
  'amendTask refused cycle',
  'cancel changed',
  'redrive changed',
  'reap reaped',
  'reap suspect',
  'takeVerification taken',
  'renewVerification renewed',
  'settleVerification done',
  'settleVerification requeued',
  'limitQueue changed',
  'prune pruned',
];

/** What was answered at least once; a comparison of refusals alone would show little. */
const seen = new Set<string>();

function kindOf(outcome: object): string {
  const { type, late, reason, by, next } = outcome as Record<string, unknown>;
  const then = typeof next === 'object' && next !== null && `next ${(next as { type: string }).type}`;
  return [type, late === true && 'late', type === 'refused' && reason, by, then].filter(Boolean).join(' ');
}

async function compare(sqlite: Store, postgres: Store, world: World, command: Command): Promise<void> {
  const before = world.keys;
  const expected = await runCommand(sqlite, world, command);
  world.keys = before;
  const actual = await runCommand(postgres, world, command);
  expect(comparable(actual), JSON.stringify(command)).toEqual(comparable(expected));
  learn(world, command, expected);
  seen.add(`${command.name} ${kindOf(expected)}`);
}

/** Where pages and the feed go on is each store's own business. */
function comparable(outcome: object): object {
  if ('next' in outcome && typeof outcome.next !== 'object') return { ...outcome, next: true };
  return outcome;
}

async function everything(store: Store): Promise<object> {
  const { tasks } = available(await store.listTasks({ limit: 1_000 }));
  const details = await Promise.all(tasks.map(({ id }) => store.task({ id })));
  const attempts = await Promise.all(tasks.map(({ id }) => store.attempts({ taskId: id })));
  const { events } = available(await store.events({ limit: 10_000 }));
  const told = events.map(({ cursor: _, ...event }: StoreEvent) => event);
  const [workers, launches, counts, accounts, limits] = await Promise.all([
    store.workers(),
    store.launches(),
    store.counts(),
    store.accounts(),
    store.limits(),
  ]);
  return { details, attempts, told, workers, launches, counts, accounts, limits };
}
