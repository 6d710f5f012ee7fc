import { moveStore } from '../../store/moveStore.ts';
import type { AttemptDetails } from '../../store/types.ts';
import { addOne, claim, claimed, worker } from './steps.ts';
import { attemptsOf, type Cases, is, taskOf } from './storeCase.ts';

const REMOTE = { repository: 'ssh://git@example.org/own/work.git', base: 'main' };

/** Where the code of a task is. */
export const repositoryCases: Cases = {
  'a task has a repository and a base, or none, also when it is claimed': async (store) => {
    const without = await addOne(store);
    is(await taskOf(store, without), { repository: null, base: null });
    const by = await worker(store);
    is((await claim(store, by)).task, { id: without, repository: null, base: null });
    const second = await worker(store, 'w2');
    const id = await addOne(store, { title: 'x', ...REMOTE });
    is(await taskOf(store, id), REMOTE);
    // by the short way, and by the full one
    is((await claim(store, second)).task, { id, ...REMOTE });
    const third = await worker(store, 'w3');
    const long = await addOne(store, { title: 'x', body: 'long '.repeat(1_000), ...REMOTE });
    is((await claim(store, third, { taskId: long })).task, { id: long, ...REMOTE });
    is(await store.addTasks({ tasks: [{ title: 'x', repository: 'a\0b' }] }), { type: 'refused', problem: 'invalid' });
  },

  'a repository and a base are changed and removed': async (store) => {
    const id = await addOne(store, { title: 'x', ...REMOTE });
    const other = { repository: '/srv/work', base: 'next' };
    is(await store.amendTask({ taskId: id, ...other }), { type: 'amended' });
    is(await store.amendTask({ taskId: id, ...other }), { type: 'unchanged' });
    is(await taskOf(store, id), { ...other, title: 'x' });
    is(await store.amendTask({ taskId: id, base: null }), { type: 'amended' });
    is(await taskOf(store, id), { repository: '/srv/work', base: null });
    is(await store.amendTask({ taskId: id, repository: '\0' }), { type: 'refused', reason: 'invalid' });
  },

  'what was pushed is kept with the attempt, and handed on': async (store, { advance }) => {
    const { lease, by, task } = await claimed(store, { title: 'x', ...REMOTE });
    const details = { branch: 'sg/a/1', pushedCommit: 'c1', pushProblem: 'the remote cannot be reached' };
    await store.heartbeat({ ...by, lease, details });
    await store.release({
      lease,
      reason: 'drained',
      details: { pushedCommit: 'c2', pushedWip: 'w1', pushProblem: '' },
    });
    const expected = { branch: 'sg/a/1', pushedCommit: 'c2', pushedWip: 'w1', pushProblem: '' };
    is((await attemptsOf(store, task.id))[0]?.details, expected);
    await advance(1);
    is((await claim(store, by)).previous?.details, expected);
  },

  'what was pushed later is kept, also when the worker has ended or its slot has another': async (store) => {
    const { lease, by, task } = await claimed(store, { title: 'x', ...REMOTE });
    const pushProblem = 'the remote cannot be reached';
    is(await store.complete({ lease, result: '', details: { branch: 'sg/a/1', pushProblem } }), { type: 'accepted' });
    is(await store.stopWorker({ ...by, exitReason: 'idle' }), { type: 'stopped' });
    const note = (details: AttemptDetails) => store.heartbeat({ ...by, lease, details });
    is(await note({ pushProblem: '' }), { type: 'superseded', by: 'worker' });
    is((await attemptsOf(store, task.id))[0]?.details, { branch: 'sg/a/1', pushProblem: '' });
    is(await store.registerWorker({ workerId: by.workerId }), { type: 'registered' });
    is(await note({ pushedCommit: 'c1' }), { type: 'superseded', by: 'worker' });
    is((await attemptsOf(store, task.id))[0]?.details, { branch: 'sg/a/1', pushProblem: '', pushedCommit: 'c1' });
  },

  'a move takes repositories and bases along': async (store, { another }) => {
    const id = await addOne(store, { title: 'x', ...REMOTE });
    const target = await another();
    is(await moveStore(store, target, 'the new one'), { type: 'moved' });
    is(await taskOf(target, id), REMOTE);
  },
};
