import { aroundOperations, type Operate } from '../../store/operationsOver.ts';
import { parseStorePlace } from '../../store/storePlace.ts';
import type { Lease, OperationName, Store, Unavailable } from '../../store/types.ts';

export interface Following {
  /** Everything goes to the new store once a claim of this worker has moved there. */
  readonly store: Store;
  /** Where the store has moved while this worker had a claim; null: it has not. */
  readonly movedTo: () => string | null;
  /** Workers of other machines can take its claim. */
  readonly isShared: () => boolean;
  /** Closes what it opened. */
  readonly close: () => Promise<void>;
}

interface Follow {
  readonly workerId: string;
  /** Of the old store. */
  readonly isShared: boolean;
  readonly open: (place: string) => Promise<Store | Unavailable>;
  readonly report: (sentence: string) => void;
}

type Request = { readonly lease?: Lease } | undefined;

/**
 * A claim moves with its store. Without its worker's heartbeats it would go to another one there, and the same work would be done
 * twice. A store in which the worker has no claim is not followed.
 */
export function followMove(store: Store, { workerId, isShared, open, report }: Follow): Following {
  let current = store;
  let target: string | null = null;
  let problem: string | null = null;
  let following: Promise<void> | null = null;
  const follow = async (to: string): Promise<void> => {
    if (target !== to)
      report(`its store has moved to ${to}: this worker finishes there what it has begun, then it ends`);
    target = to;
    const opened = await open(to);
    if ('type' in opened) {
      if (problem === null) report(`the store at ${to} cannot be opened: ${opened.reason}`);
      problem = opened.reason;
    } else if (await hasCopy(current, opened)) {
      if (current !== store) await current.close();
      current = opened;
    } else await opened.close();
  };
  const operate = async (name: OperationName, request: Request) => {
    const asked = current;
    const outcome = await (asked[name] as Operate)(request);
    const to = outcome.type === 'unavailable' ? (outcome as Unavailable).movedTo : undefined;
    if (to === undefined || request?.lease?.workerId !== workerId) return outcome;
    if (current === asked) {
      following ??= follow(to).finally(() => {
        following = null;
      });
      await following;
    }
    return current === asked ? outcome : (current[name] as Operate)(request);
  };
  const followed = aroundOperations(store, (_, name) => (request) => operate(name, request as Request));
  return {
    store: { ...followed, waitForWork: (request) => current.waitForWork(request) },
    movedTo: () => target,
    isShared: () => (target === null ? isShared : parseStorePlace(target).type === 'postgres'),
    close: async () => {
      if (current !== store) await current.close();
    },
  };
}

/** A copy that is under way or was given up has nothing yet; another store has other places behind it. */
async function hasCopy(before: Store, after: Store): Promise<boolean> {
  const [old, copy] = await Promise.all([before.about(), after.about()]);
  if (old.type === 'unavailable' || copy.type === 'unavailable') return false;
  return old.movedFrom.length > 0 && old.movedFrom.every((place, index) => copy.movedFrom[index] === place);
}
