import { type BudgetTier, budgetTier } from '../../../budget/timeBudget.ts';
import type { AttemptDetails } from '../../../store/types.ts';
import type { Clock } from '../../../system/clock.ts';
import { pushedDetails } from '../taskFolders.ts';
import { NOTHING_PUSHED, type Pushed, type PushOutcome } from './pushWork.ts';

export interface PushClerkRequest {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly taskId: string;
  readonly before?: Pushed;
  readonly push: (stage: string, before: Pushed, isLast: boolean) => Promise<PushOutcome>;
  /** Notes what the remote has, for the next attempt. */
  readonly note: (details: AttemptDetails) => Promise<void>;
  readonly report: (sentence: string) => void;
}

/** Pushes the work of one attempt: one push at a time, again after a failure, and every problem is reported once. */
export interface PushClerk {
  /** At a checkpoint; resolves when it is over, whatever its outcome. */
  checkpoint(stage: string): Promise<void>;
  /**
   * The last one before a settlement, which records its outcome and waits for it. After a checkpoint that was under way and failed, it
   * is left out: it would fail in the same way.
   */
  last(stage: string): Promise<AttemptDetails>;
  /** Once more after the settlement, for what was not on the remote by then. */
  afterwards(): Promise<PushOutcome>;
  /** Called with what is left of the attempt's time: a change of its tier is a checkpoint. */
  timeLeft(leftMs: number | null, wholeMs: number | null): void;
  /** Every few minutes, until the signal. */
  run(over: AbortSignal): Promise<void>;
}

export function openPushClerk({ clock, everyMs, taskId, before, push, note, report }: PushClerkRequest): PushClerk {
  let pushed = before ?? NOTHING_PUSHED;
  let problem: string | null = null;
  let tier: BudgetTier | null = null;
  let queue: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const tell = (now: string | null) => {
    if (now !== null && now !== problem)
      report(`the work of task ${taskId} is not on its remote, and is pushed again at the next checkpoint: ${now}`);
    if (now === null && problem !== null) report(`the work of task ${taskId} is on its remote now`);
    problem = now;
  };
  const details = () => pushedDetails({ pushed, problem });
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    waiting++;
    const done = queue.then(work).finally(() => waiting--);
    queue = done.catch(() => {});
    return done;
  };
  const pushNow = async (stage: string, isLast: boolean) => {
    const known = JSON.stringify(details());
    const outcome = await push(stage, pushed, isLast);
    pushed = outcome.pushed;
    tell(outcome.problem);
    return JSON.stringify(details()) !== known;
  };
  /** Noted out of turn: a request to the store can hang, and a settlement must not wait for it. */
  const pushAndNote = async (stage: string, isLast: boolean) => {
    if (await inTurn(() => pushNow(stage, isLast))) await note(details());
  };
  const checkpoint = (stage: string) => pushAndNote(stage, false);
  return {
    checkpoint,
    last: (stage) => {
      const isBusy = waiting > 0;
      return inTurn(async () => {
        const isChange = (!isBusy || problem === null) && (await pushNow(stage, true));
        if (isChange) note(details()).catch(() => {});
        return details();
      });
    },
    afterwards: async () => {
      await pushAndNote('after the settlement', true);
      return { pushed, problem };
    },
    timeLeft: (leftMs, wholeMs) => {
      const now = leftMs === null ? null : budgetTier(leftMs / 1000, wholeOf(wholeMs));
      const isChange = now !== null && tier !== null && now !== tier;
      tier = now;
      if (isChange) checkpoint(`time tier ${now}`).catch((error: Error) => tell(error.message));
    },
    run: async (over) => {
      while (!over.aborted) {
        await clock.sleep(everyMs, over);
        if (!over.aborted) await checkpoint('checkpoint');
      }
      await queue;
    },
  };
}

const wholeOf = (wholeMs: number | null) => (wholeMs === null ? {} : { totalSeconds: wholeMs / 1000 });
