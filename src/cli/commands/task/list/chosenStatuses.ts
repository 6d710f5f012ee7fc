import { nearestName } from '../../../../system/nearestName.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { UserError } from '../../../../system/userError.ts';
import type { TaskStatus } from '../../../wiring/store/openedStore.ts';
import { STATUSES } from './listText.ts';

const QUEUED: readonly TaskStatus[] = ['ready', 'delayed', 'blocked', 'held'];

/** The values of `--state` besides the statuses themselves. */
const GROUPS: Readonly<Record<string, readonly TaskStatus[]>> = {
  queued: QUEUED,
  open: [...QUEUED, 'claimed', 'verifying'],
  ended: ['done', 'dead', 'cancelled'],
};

/** The statuses that the values of `--state` name. */
export function chosenStatuses(names: readonly string[]): readonly TaskStatus[] {
  const known = [...Object.keys(GROUPS), ...STATUSES];
  const chosen = names.flatMap((name) => {
    const wanted = name.toLowerCase();
    const statuses = ownValue(GROUPS, wanted) ?? STATUSES.filter((status) => status === wanted);
    if (statuses.length > 0) return statuses;
    const nearest = nearestName(name, known);
    const hint = nearest ? `did you mean ${nearest}?` : `use ${known.join(', ')}.`;
    throw new UserError(`There is no state '${name}'; ${hint}`);
  });
  return [...new Set(chosen)];
}
