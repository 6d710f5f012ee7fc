// A worker of your own on the task queue: adds two tasks, takes each, does it, and settles it. In the checkout: npm exec -- node examples/worker.ts [FILE or postgres://…]
import { randomUUID } from 'node:crypto';
import { openStore } from 'stopgate';

const opened = await openStore(process.argv[2] ?? 'tasks.db');
if ('type' in opened) throw new Error(opened.reason);
await using store = opened;

await store.addTasks({ tasks: [{ title: 'write the release notes' }, { title: 'fix the flaky test', priority: 10 }] });
const registered = await store.registerWorker({ workerId: 'example' });
if (registered.type !== 'registered') throw new Error(JSON.stringify(registered));

for (;;) {
  const { incarnation } = registered;
  const claimed = await store.claim({ workerId: 'example', incarnation, claimKey: randomUUID() });
  if (claimed.type !== 'claimed') break;
  // a lease settles its task only while no other worker has claimed it
  const { lease, task } = claimed;
  const done = await store.complete({ lease, result: `did: ${task.title}` });
  console.log(`${task.title}: ${done.type}`);
}
await store.stopWorker({ workerId: 'example', incarnation: registered.incarnation, exitReason: 'nothing is left' });
