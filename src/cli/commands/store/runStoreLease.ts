import { DEFAULT_LEASE, formatLease, readLease } from '../../../fleet/decisions/leaseTimes.ts';
import { UserError } from '../../../system/userError.ts';
import { available, type Outcomes } from '../../wiring/store/openedStore.ts';
import { openTaskStore, openTaskStoreToRead } from '../../wiring/store/openTaskStore.ts';
import { printAnswer, type TaskWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions } from '../task/taskOptions.ts';

/** `stopgate store lease [time]`. */
export async function runStoreLease(
  time: string | undefined,
  options: CommonOptions,
  world: TaskWorld,
): Promise<number> {
  if (time === undefined) {
    await using store = await openTaskStoreToRead(options.store, world);
    const { leaseMs } = available(await store.about());
    const sentence = `The lease of the store is ${describeLease(leaseMs)}.`;
    return printAnswer(world, options, { outcome: { leaseMs }, sentence });
  }
  const leaseMs = readLease('The lease', time);
  if (typeof leaseMs === 'string') throw new UserError(leaseMs);
  await using store = await openTaskStore(options.store, world);
  const outcome = available(await store.setLease({ leaseMs, actor: world.env.USER || 'command line' }));
  const isFine = outcome.type !== 'refused';
  const sentence = isFine
    ? `The lease of the store is ${outcome.type === 'unchanged' ? 'already ' : ''}${formatLease(leaseMs)}.`
    : whyRefused(outcome);
  return printAnswer(world, options, { outcome: { leaseMs, ...outcome }, sentence, isFine });
}

export const describeLease = (leaseMs: number | null): string =>
  leaseMs === null
    ? `${formatLease(DEFAULT_LEASE.leaseMs)} by default; the first worker or coordinator records its own`
    : formatLease(leaseMs);

const MOST_NAMES = 3;

function whyRefused({ leaseMs, workers, fleets }: Extract<Outcomes['setLease'], { type: 'refused' }>): string {
  const running = [
    ...named('worker', workers),
    ...named('coordinator', fleets, fleets.length === 1 ? 'of the fleet ' : 'of the fleets '),
  ].join(' and ');
  const by = leaseMs === null ? '' : ` with a lease of ${formatLease(leaseMs)}`;
  return `Not changed: ${running} still run${workers.length + fleets.length === 1 ? 's' : ''}${by}. End them first (\`stopgate fleet down\` on each machine); a coordinator takes back what lost machines hold.`;
}

function named(what: string, names: readonly string[], before = ''): readonly string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return [`the ${what}${names.length === 1 ? '' : 's'} ${before}${shown}${rest}`];
}
