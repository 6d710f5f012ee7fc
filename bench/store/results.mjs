import { atLeast, goal, row } from '../lib/report.mjs';
import { summary } from '../lib/statistics.mjs';

const inWords = (count) => count.toLocaleString('en');

export function storeRows({ scenario, samples, sides }) {
  const { sizes, serverSizes, many } = scenario;
  const rate = (name) => samples.of(name, 'perSecond');
  const compared = sizes[1];
  return [
    row('one block written and forced out', '/s', { disk: rate('disk') }),
    row(`SQLite commits, 1 process, ${inWords(compared)} pending`, '/s', {
      stopgate: commits(samples, `sqlite 1 direct ${compared}`),
      'raw node:sqlite': commits(samples, `sqlite 1 raw ${compared}`),
    }),
    ...sizes.map((size) =>
      row(`SQLite, 1 process, ${inWords(size)} pending`, 'tasks/s', {
        stopgate: rate(`sqlite 1 direct ${size}`),
        'raw node:sqlite': rate(`sqlite 1 raw ${size}`),
      }),
    ),
    ...sizes.map((size) =>
      row(
        `SQLite, ${many} processes, ${inWords(size)} pending`,
        'tasks/s',
        sqliteSides(samples, many, size, 'perSecond'),
      ),
    ),
    row('smallest share of tasks, of the largest', '×', sqliteSides(samples, many, compared, 'share')),
    row('worst single claim', 'ms', {
      ...sqliteSides(samples, many, compared, 'worstMs'),
      'the disk alone, one block': samples.of(`disk ${many} ${compared}`, 'worstMs'),
    }),
    row('claim, 99 of 100', 'ms', sqliteSides(samples, many, compared, 'p99Ms')),
    ...[1, many].flatMap((count) => serverSizes.map((size) => postgresRow({ samples, sides, count, size }))),
    ...(samples.has('jit on')
      ? [
          row(`PostgreSQL, ${many} processes, ${inWords(scenario.jitSize)} pending, JIT`, 'tasks/s', {
            'stopgate, JIT on': rate('jit on'),
            'stopgate, JIT off': rate('jit off'),
          }),
        ]
      : []),
    row('a whole process, warm code', 'ms', {
      'stopgate task claim': samples.of('cold', 'claim'),
      'stopgate task complete': samples.of('cold', 'complete'),
      'node -e 0': samples.of('cold', 'node'),
    }),
  ];
}

function postgresRow({ samples, sides, count, size }) {
  const figures = sides.map(({ name, label }) => [label, samples.of(`postgres ${count} ${name} ${size}`, 'perSecond')]);
  const processes = `${count} ${count === 1 ? 'process' : 'processes'}`;
  return row(`PostgreSQL, ${processes}, ${inWords(size)} pending`, 'tasks/s', Object.fromEntries(figures));
}

function sqliteSides(samples, many, size, figure) {
  return {
    'stopgate, served': samples.of(`sqlite ${many} served ${size}`, figure),
    'stopgate, each at the file': samples.of(`sqlite ${many} direct ${size}`, figure),
    'raw node:sqlite': samples.of(`sqlite ${many} raw ${size}`, figure),
  };
}

/** Claiming is one commit and completing another. */
function commits(samples, name) {
  return samples.of(name, 'perSecond').map((tasks) => 2 * tasks);
}

export function storeGoals({ scenario, samples, sides }) {
  const { sizes, serverSizes, many } = scenario;
  const [, middle, largest] = sizes;
  const rate = (name) => samples.of(name, 'perSecond');
  const ones = (list) => list.map(() => 1);
  const share = samples.of(`sqlite ${many} served ${middle}`, 'share');
  const worst = samples.of(`sqlite ${many} served ${middle}`, 'worstMs');
  const goals = [
    atLeast('SQLite commits, × what the disk allows', {
      ours: commits(samples, `sqlite 1 direct ${middle}`),
      theirs: rate('disk'),
      limit: 0.5,
    }),
    atLeast(`SQLite tasks/s at ${inWords(largest)} pending, × at ${inWords(middle)}`, {
      ours: rate(`sqlite 1 direct ${largest}`),
      theirs: rate(`sqlite 1 direct ${middle}`),
      limit: 0.95,
    }),
    atLeast(`SQLite, ${many} processes: smallest share, × the largest`, {
      ours: share,
      theirs: ones(share),
      limit: 0.5,
    }),
    goal(`SQLite, ${many} processes: worst claim, ms`, { ours: worst, theirs: ones(worst), limit: 50 }),
    goal('stopgate task claim, × node -e 0', {
      ours: samples.of('cold', 'claim'),
      theirs: samples.of('cold', 'node'),
      limit: 2,
    }),
  ];
  if (samples.has('jit on')) {
    goals.push(
      atLeast('PostgreSQL with JIT on, × with JIT off', { ours: rate('jit on'), theirs: rate('jit off'), limit: 0.9 }),
    );
  }
  if (!sides.some(({ name }) => name === 'graphileWorker')) return goals;
  const beside = serverSizes.map((size) =>
    atLeast(`PostgreSQL, ${many} processes, ${inWords(size)} pending, × graphile-worker`, {
      ours: rate(`postgres ${many} ours ${size}`),
      theirs: rate(`postgres ${many} graphileWorker ${size}`),
      limit: 1.2,
    }),
  );
  return [...goals, ...beside];
}

export function storeNotes({ scenario, samples }) {
  const [, middle] = scenario.sizes;
  const name = `sqlite ${scenario.many} raw ${middle}`;
  const fewest = summary(samples.of(name, 'fewest')).median;
  const most = summary(samples.of(name, 'most')).median;
  return [
    'A task is one durable claim and one durable completion: SQLite with synchronous=FULL, PostgreSQL with fsync and synchronous_commit on, Redis with appendfsync=always. Ours writes an attempt and two events for it, raw drivers and peers do not.',
    'Of those on a server, stopgate and BullMQ complete a task and claim the next in one call, as their workers can; the others have no such call. Every contestant does a task or two before a window begins.',
    `Raw node:sqlite with BEGIN IMMEDIATE and ${scenario.many} processes: in a window the least served got ${inWords(Math.round(fewest))} of the tasks, the most served ${inWords(Math.round(most))}.`,
  ];
}
