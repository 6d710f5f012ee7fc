import assert from 'node:assert/strict';
import { available } from '../../store/unavailable.ts';
import { add, addOne, claim, claimed, worker } from './steps.ts';
import { type Cases, is, taskOf } from './storeCase.ts';

/** Changing an existing task. */
export const amendCases: Cases = {
  'a body is replaced, however long both are': async (store) => {
    const id = await addOne(store, { title: 'x', body: 'short' });
    for (const body of ['long '.repeat(1_000), 'longer '.repeat(1_000), 'short']) {
      is(await store.amendTask({ taskId: id, body }), { type: 'amended' });
      is(await store.amendTask({ taskId: id, body }), { type: 'unchanged' });
      is(await taskOf(store, id), { body });
    }
  },

  'a new title and body replace the old ones, and are recorded once': async (store) => {
    const id = await addOne(store, { title: 'old', body: 'old body' });
    is(await store.amendTask({ taskId: id, title: 'new', body: 'new body', actor: 'me' }), {
      type: 'amended',
      state: 'queued',
      unmetDependencies: 0,
    });
    is(await taskOf(store, id), { title: 'new', body: 'new body', status: 'ready' });
    is(await store.amendTask({ taskId: id, title: 'new', body: 'new body' }), { type: 'unchanged', state: 'queued' });
    is(await store.amendTask({ taskId: id, body: '' }), { type: 'amended' });
    is(await taskOf(store, id), { title: 'new', body: '' });
    is(await store.amendTask({ taskId: id, title: '  ' }), { type: 'refused', reason: 'invalid' });
    is(await store.amendTask({ taskId: 'nothing', title: 'x' }), { type: 'unknownTask' });
    const { events } = available(await store.events({ taskId: id }));
    assert.deepEqual(
      events.map(({ kind, actor, data }) => (kind === 'task.amended' ? [kind, actor, data] : [kind])),
      [
        ['task.added'],
        ['task.amended', 'me', { title: 'new', bodyChanged: true }],
        ['task.amended', null, { bodyChanged: true }],
      ],
    );
  },

  'an added dependency counts until it is done': async (store) => {
    const [first, second, last] = await add(store, 'first', 'second', 'last');
    const by = await worker(store);
    await store.complete({ lease: (await claim(store, by, { taskId: first })).lease, result: 'ok' });
    is(await store.amendTask({ taskId: last, addDependsOn: [first, second, second] }), {
      type: 'amended',
      unmetDependencies: 1,
    });
    is(await store.amendTask({ taskId: last, addDependsOn: [second] }), { type: 'unchanged' });
    is(await taskOf(store, last), {
      status: 'blocked',
      unmetDependencies: 1,
      dependsOn: [
        { taskId: first, met: true },
        { taskId: second, met: false },
      ],
    });
    const recorded = available(await store.events({ taskId: last })).events.at(-1);
    is(recorded, { data: { addedDependencies: `${first} ${second}`, unmetDependencies: 1 } });
    await store.complete({ lease: (await claim(store, by)).lease, result: 'ok' });
    is(await taskOf(store, last), { status: 'ready', unmetDependencies: 0 });
  },

  'an added dependency that ends badly is handled as requested': async (store) => {
    const [gone, ends, runs] = await add(store, 'gone', 'ends', 'runs');
    await store.amendTask({ taskId: runs, addDependsOn: [gone, ends], onDependencyFailure: 'run' });
    await store.cancel({ taskId: gone });
    is(await taskOf(store, runs), { status: 'blocked', unmetDependencies: 1 });
    const late = { taskId: ends, addDependsOn: [gone] };
    is(await store.amendTask({ ...late, onDependencyFailure: 'cancel' }), {
      type: 'refused',
      reason: 'failedDependency',
      dependencyId: gone,
    });
    is(await store.amendTask({ ...late, onDependencyFailure: 'run' }), { type: 'amended', unmetDependencies: 0 });
    await store.cancel({ taskId: ends });
    is(await taskOf(store, runs), { status: 'ready' });
  },

  'no task can wait for itself, and a refusal changes nothing': async (store) => {
    const [a, b, c] = await add(store, 'a', 'b', 'c');
    is(await store.amendTask({ taskId: b, addDependsOn: [a] }), { type: 'amended' });
    is(await store.amendTask({ taskId: c, addDependsOn: [b] }), { type: 'amended' });
    const refused = async (dependencyId: string, reason: string, ...before: string[]) =>
      is(await store.amendTask({ taskId: a, title: 'other', addDependsOn: [...before, dependencyId] }), {
        type: 'refused',
        reason,
        dependencyId,
      });
    await refused(a, 'cycle');
    await refused(c, 'cycle');
    await refused('nothing-like-it', 'unknownDependency', await addOne(store, 'd'));
    is(await taskOf(store, a), { title: 'a', status: 'ready', dependsOn: [] });
  },

  'a claimed task can get a new title, but no new dependency': async (store) => {
    const { lease, task } = await claimed(store);
    const other = await addOne(store, 'other');
    is(await store.amendTask({ taskId: task.id, title: 'renamed' }), { type: 'amended', state: 'claimed' });
    is(await store.amendTask({ taskId: task.id, addDependsOn: [other] }), {
      type: 'refused',
      reason: 'state',
      state: 'claimed',
    });
    is(await store.complete({ lease, result: 'ok' }), { type: 'accepted' });
    is(await taskOf(store, task.id), { title: 'renamed', state: 'done' });
    is(await store.amendTask({ taskId: task.id, title: 'x' }), { type: 'refused', reason: 'state', state: 'done' });
  },

  'of two concurrent changes that close a cycle, one is refused': async (store, { connect }) => {
    const [one, two] = [await connect(), await connect()];
    for (let race = 0; race < 10; race++) {
      const [a, b, c, d] = await add(store, 'a', 'b', 'c', 'd');
      await store.amendTask({ taskId: b, addDependsOn: [c] });
      await store.amendTask({ taskId: d, addDependsOn: [a] });
      const outcomes = await Promise.all([
        one.amendTask({ taskId: a, addDependsOn: [b] }),
        two.amendTask({ taskId: c, addDependsOn: [d] }),
      ]);
      assert.deepEqual(outcomes.map(({ type }) => type).toSorted(), ['amended', 'refused']);
    }
  },
};
