import { atLeast, goal, row } from '../lib/report.mjs';
import { READ_NAMES } from './reads.mjs';

const KINDS = ['SQLite', 'PostgreSQL'];
const ones = (list) => list.map(() => 1);

export function fleetRows({ scenario, samples }) {
  const { doneSizes, processes, workers } = scenario;
  const idle = (figure, unit, what) =>
    KINDS.map((kind) =>
      row(`${kind}, an idle worker: ${what}`, unit, {
        [`one of ${scenario.idleSlots} in a process`]: samples.of(`idle ${kind} slots`, figure),
        'a process of its own': samples.of(`idle ${kind} processes`, figure),
      }),
    );
  const rate = (name) => samples.of(`claims ${name}`, 'perSecond');
  return [
    ...idle('mb', 'MB', 'memory'),
    ...idle('percent', '% of a core', 'processor'),
    ...KINDS.flatMap((kind) =>
      READ_NAMES.map((name) => row(`${kind}, ${name}`, 'ms', readSides(samples, kind, name, doneSizes))),
    ),
    row(
      `PostgreSQL, ${processes} × ${workers} workers, ${scenario.claimSize.toLocaleString('en')} pending`,
      'tasks/s',
      {
        [`${processes} processes`]: rate('many'),
        [`${processes * workers} processes`]: rate('each'),
        ...(samples.has('claims pooled') && { [`${processes} processes, through pgbouncer`]: rate('pooled') }),
        ...(samples.has('claims jit') && { [`${processes} processes, JIT on`]: rate('jit') }),
      },
    ),
  ];
}

function readSides(samples, kind, name, sizes) {
  const sides = sizes
    .toReversed()
    .map((size) => [`${size.toLocaleString('en')} done`, samples.of(`${kind} ${name} ${size}`, 'ms')]);
  return Object.fromEntries(sides);
}

/** `status` counts all tasks in an index, so it grows, if slowly; no other read may. */
const MOST_STATUS_MS = 500;
const isStatus = (name) => name.startsWith('status');

export function fleetGoals({ scenario, samples }) {
  const [small, large] = scenario.doneSizes;
  const idle = KINDS.flatMap((kind) => {
    const of = (figure) => samples.of(`idle ${kind} slots`, figure);
    return [
      goal(`${kind}: memory of an idle worker, MB`, { ours: of('mb'), theirs: ones(of('mb')), limit: 3 }),
      goal(`${kind}: processor of an idle worker, % of a core`, {
        ours: of('percent'),
        theirs: ones(of('percent')),
        limit: 0.02,
      }),
    ];
  });
  const reads = KINDS.flatMap((kind) =>
    READ_NAMES.map((name) => {
      const at = (size) => samples.of(`${kind} ${name} ${size}`, 'ms');
      const [ours] = [at(large)];
      if (isStatus(name))
        return goal(`${kind}: ${name} at ${large.toLocaleString('en')} done, ms`, {
          ours,
          theirs: ones(ours),
          limit: MOST_STATUS_MS,
        });
      return goal(`${kind}: ${name} at ${large.toLocaleString('en')} done, × at ${small.toLocaleString('en')}`, {
        ours,
        theirs: at(small),
        limit: 2,
      });
    }),
  );
  const rate = (name) => samples.of(`claims ${name}`, 'perSecond');
  const claims = [
    ['pooled', 'through pgbouncer, × directly', 0.8],
    ['jit', 'with JIT on, × with JIT off', 0.9],
  ].flatMap(([name, what, limit]) =>
    samples.has(`claims ${name}`)
      ? [atLeast(`PostgreSQL claims ${what}`, { ours: rate(name), theirs: rate('many'), limit })]
      : [],
  );
  return [...idle, ...reads, ...claims];
}
