import { hostname } from 'node:os';
import { runWorker, type WorkerEnd } from '../../../fleet/worker/runWorker.ts';
import { agentCommand } from '../../../hosts/agentCommand.ts';
import { permissionHint } from '../../../hosts/permissionHint.ts';
import { whyNoAgent } from '../../../hosts/whyNoAgent.ts';
import type { AgentOfWorker } from '../../../launch/attempt/startAgent.ts';
import { keepLost } from '../../../launch/attempt/taskFolders.ts';
import { tasksOfAgent } from '../../../launch/attempt/tasksOfAgent.ts';
import { openStore } from '../../../store/openStore.ts';
import { placeText } from '../../../store/storePlace.ts';
import { wallNow } from '../../../system/clock.ts';
import { newClaimKey } from '../../../system/ids.ts';
import { listenForInterrupts } from '../../../system/interrupts.ts';
import { isProcessGone, thisProcess } from '../../../system/processLife.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { chooseStorePlace } from '../../wiring/store/storePlace.ts';
import { keepOutput } from './keepOutput.ts';
import { type WorkerOptions, workerRequest } from './workerRequest.ts';

/** EX_UNAVAILABLE of `sysexits`; 75 would mean a rate limit. */
const UNAVAILABLE_EXIT = 69;

/** `stopgate worker run`: one supervised worker, until it may stop. */
export async function runWorkerCommand(words: readonly string[], options: WorkerOptions): Promise<number> {
  const request = workerRequest(words, options);
  const world = thisWorld();
  const writer = processWriter(() => {});
  using interrupts = listenForInterrupts(
    () => world.processes.killAll(),
    () => writer.err('stopgate: draining: the agent may finish; press Ctrl-C again to end it now.\n'),
  );
  // a coordinator prints the hint for all of its workers
  const command = await agentCommand({ agent: request.agent, words: [], env: world.env });
  const hint =
    request.incarnation === undefined ? permissionHint({ ...request, ...world, agent: command.agent }) : null;
  for (const warning of [...request.warnings, ...(hint === null ? [] : [hint])]) writer.err(`stopgate: ${warning}\n`);
  const place = chooseStorePlace({ flag: request.store, ...world });
  const noAgent = whyNoAgent(command, { ...world, worktrees: request.worktrees });
  if (noAgent !== null) throw new UserError(noAgent);
  const onNotice = (sentence: string) => writer.err(`stopgate: ${sentence}\n`);
  // it keeps the file open for long, so it can serve other processes
  const store = await openStore(place, { serve: true, connections: 2, onNotice });
  if ('type' in store) throw new UserError(store.reason, UNAVAILABLE_EXIT);
  const code = await work({ request, world, writer, store, storePlace: placeText(place), drain: interrupts.signal });
  await store.close();
  await world.processes.endAll();
  await drained();
  return code;
}

interface Work extends Omit<AgentOfWorker, 'workerId' | 'report'> {
  readonly drain: AbortSignal;
}

async function work({ request, world, writer, store, storePlace, drain }: Work): Promise<number> {
  const workerId = request.slot ?? `${hostname().split('.')[0]}-${process.pid}`;
  // the output of one that a coordinator started already is a log
  using kept =
    request.incarnation === undefined ? keepOutput(writer, { ...world, workerId, now: wallNow(world.clock) }) : null;
  const shown = kept ?? writer;
  const tell = (sentence: string) => shown.err(`stopgate: ${workerId}: ${sentence}\n`);
  const tasks = await tasksOfAgent({ request, world, writer: shown, store, storePlace, workerId, report: tell });
  const end = await runWorker({
    store,
    clock: world.clock,
    workerId,
    incarnation: request.incarnation,
    facts: {
      kind: request.kind,
      queue: request.queue,
      types: request.types ?? null,
      ...thisProcess(),
      accountKey: request.account,
      idleLimitMs: request.idleLimitMs,
    },
    isGone: (worker) => isProcessGone(worker),
    keepLost: (worker) => keepLost(store, worker, world),
    newClaimKey,
    drain,
    drainMs: request.drainMs,
    report: tell,
    ...tasks,
  });
  tell(end.reason);
  return EXIT[end.type];
}

const EXIT: { readonly [Type in WorkerEnd['type']]: number } = {
  stopped: 0,
  occupied: 1,
  superseded: 1,
  unavailable: UNAVAILABLE_EXIT,
  noAgent: UNAVAILABLE_EXIT,
};
