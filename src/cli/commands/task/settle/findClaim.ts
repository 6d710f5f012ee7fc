import { awayStore } from '../../../../store/outbox/awayStore.ts';
import { keepingStore } from '../../../../store/outbox/keepingStore.ts';
import { readLease } from '../../../../store/outbox/leaseFile.ts';
import { type Outbox, openOutbox } from '../../../../store/outbox/outbox.ts';
import { storeLocation } from '../../../../store/storeLocation.ts';
import { wallNow } from '../../../../system/clock.ts';
import { UserError } from '../../../../system/userError.ts';
import { whyNotOwnLease, whyNotOwnProcess } from '../../../wiring/standing/ownLease.ts';
import type { Agent } from '../../../wiring/standing/standing.ts';
import { type Store, StoreUnavailableError, type Unavailable } from '../../../wiring/store/openedStore.ts';
import { openTaskStoreOrWhy, UNAVAILABLE_EXIT } from '../../../wiring/store/openTaskStore.ts';
import { ownWorker } from '../../../wiring/store/ownWorker.ts';
import { chooseStorePlace } from '../../../wiring/store/storePlace.ts';
import { TASK_EXIT } from '../../../wiring/store/taskExit.ts';
import type { TaskWorld } from '../../../wiring/store/taskWorld.ts';
import type { CommonOptions } from '../taskOptions.ts';
import { type Claim, findLease, isMeant, type SettleFlags } from './findLease.ts';

interface Wanted {
  readonly id: string | undefined;
  readonly options: SettleFlags & CommonOptions;
  readonly world: TaskWorld;
  readonly agent: Agent | null;
}

/** A claim to settle; what an agent settles is on disk first. */
export interface OpenClaim extends Claim, AsyncDisposable {
  readonly outbox: Outbox;
}

export async function openClaim(wanted: Wanted): Promise<OpenClaim> {
  const opened = await openTaskStoreOrWhy(wanted.options.store, wanted.world);
  try {
    if ('type' in opened) return await claimOnDisk(wanted, opened);
    return keeping(wanted, opened, await claimInStore(wanted, opened));
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) || 'type' in opened) throw error;
    return claimOnDisk(wanted, error.unavailable);
  }
}

async function claimInStore({ id, options, world, agent }: Wanted, store: Store): Promise<Omit<Claim, 'store'>> {
  const lease = await findLease(store, id, options, world.env);
  const refused = agent === null ? null : await whyNotOwnLease(agent, lease, store);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  return { lease };
}

/** What the worker of an agent noted about its claim, while the store cannot be asked. */
async function claimOnDisk(wanted: Wanted, away: Unavailable): Promise<OpenClaim> {
  const { id, options, world, agent } = wanted;
  const record = agent && (await readLease(world.stopgateHome, ownWorker(options.worker, world.env).name));
  const isThis = record?.store === locationOf(wanted) && isMeant(record.lease, id, options, world.env);
  if (!record || !isThis) throw new UserError(away.reason, UNAVAILABLE_EXIT);
  const refused = whyNotOwnProcess(agent, record.lease, record.process);
  if (refused !== null) throw new UserError(refused, TASK_EXIT.refused);
  const { lease, title, body, worktree } = record;
  return keeping(wanted, awayStore(away), { lease, known: { title, body, worktree } });
}

const locationOf = ({ options, world }: Wanted) =>
  storeLocation(chooseStorePlace({ flag: options.store, ...world }), world.env);

function keeping(wanted: Wanted, store: Store, claim: Omit<Claim, 'store'>): OpenClaim {
  const { world, agent } = wanted;
  const outbox = openOutbox(world.stopgateHome, world.warn);
  const location = locationOf(wanted);
  const now = () => wallNow(world.clock);
  const kept = agent === null ? store : keepingStore(store, { outbox, location, now });
  return { ...claim, store: kept, outbox, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
}
