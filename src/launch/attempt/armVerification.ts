import path from 'node:path';
import { cleanCheckout } from '../../git/cleanCheckout.ts';
import type { ArmedStart } from '../../stop/sinceStart.ts';
import {
  freezeAsBegun,
  freezeAsFirst,
  freezeCommands,
  freezeCommandsOf,
  freezeDefinition,
} from '../../stop/verify/verificationRecord.ts';
import { worldGit } from '../../stop/worldGit.ts';
import type { Attempt, AttemptDetails, Lease, Store, Task } from '../../store/types.ts';
import { DEFINITION_OF_DONE, JUDGE_ALONE, NO_VERIFICATION } from '../../store/verification.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { baseOfTask } from '../verify/baseOfTask.ts';

/** How the work of an attempt will be verified. */
export type VerifiedBy = 'nothing' | 'commands' | 'definition' | 'judgeAlone';

export interface VerifiedFacts {
  /** Of the task; null when it names nothing. */
  readonly verify: string | null;
  /** The project has a definition of done that is armed. */
  readonly isArmed: boolean;
  /** False with `--no-verify`. */
  readonly byDefault: boolean;
  /** Of the task. */
  readonly judge: string | null;
}

export function verifiedBy({ verify, isArmed, byDefault, judge }: VerifiedFacts): VerifiedBy {
  if (verify === NO_VERIFICATION) return 'nothing';
  if (verify !== null) return 'commands';
  if (isArmed && byDefault) return 'definition';
  return judge === null ? 'nothing' : 'judgeAlone';
}

interface Beginning {
  readonly lease: Lease;
  readonly task: Pick<Task, 'verify' | 'judge' | 'countedFrom'> | null;
  /** Of the task. */
  readonly attempts: readonly Attempt[];
  /** What is known of this one: where it starts from. */
  readonly began: AttemptDetails;
  readonly folder: string;
  readonly armed: ArmedStart;
  readonly byDefault: boolean;
}

/** What the store has to know of an attempt whose task names no commands. */
export const MARKS_OF: Readonly<Record<VerifiedBy, AttemptDetails>> = {
  nothing: {},
  commands: {},
  definition: { verify: DEFINITION_OF_DONE },
  judgeAlone: { verify: JUDGE_ALONE },
};

/** Freezes what the work will be verified with, before an agent can change it. Returns what the store has to know. */
export async function armVerification(beginning: Beginning, world: World): Promise<AttemptDetails> {
  const { lease, task, folder, armed, byDefault } = beginning;
  const verify = task?.verify ?? null;
  const judge = task?.judge ?? null;
  const by = verifiedBy({ verify, isArmed: armed.checks.length > 0, byDefault, judge });
  if (by === 'commands' && !(await freezeEarlier(beginning, verify, world)))
    await freezeCommands(lease, verify ?? '', folder, world);
  // otherwise a person approved what the files contain now
  const isTrustedWhole = world.env.STOPGATE_TRUST_PROJECT === '1';
  if (by === 'definition' && !(isTrustedWhole && (await freezeEarlier(beginning, null, world))))
    await freezeDefinition(lease, armed, world);
  return MARKS_OF[by];
}

/** What an earlier attempt began with, here or, on another machine, in the commit on which it was based. */
async function freezeEarlier(
  { lease, task, attempts, began, folder }: Pick<Beginning, 'lease' | 'task' | 'attempts' | 'began' | 'folder'>,
  verify: string | null,
  world: World,
): Promise<boolean> {
  const { taskId, epoch } = lease;
  const epochs = attempts
    .map((one) => one.epoch)
    .filter((one) => one < epoch && one > (task?.countedFrom ?? 0))
    .toSorted((one, other) => one - other);
  if (await freezeAsFirst({ taskId, epoch, epochs, folder, verify }, world)) return true;
  if (verify === null || began.continuedFrom === undefined) return false;
  const base = baseOfTask({ epoch, details: began }, attempts);
  if (base === undefined) return false;
  const parent = path.join(world.stopgateHome, 'verify');
  const checkout = await cleanCheckout(worldGit({ ...world, cwd: folder }), { folder, commit: base, parent });
  if (checkout.type === 'failed') throw new UserError(`the base of the work could not be read: ${checkout.reason}`);
  await using at = checkout;
  await freezeCommandsOf(lease, { verify, at: at.path, folder }, world);
  return true;
}

type Place = Pick<Beginning, 'folder' | 'armed' | 'byDefault'>;

/** The same for tasks that a running agent is handed; called with what it holds at each heartbeat. */
export function verificationOfHanded(store: Store, world: World) {
  let known: string | null = null;
  let place: Place | null = null;
  let mark: AttemptDetails = {};
  return {
    begun: (lease: Lease, at: Place, markOf: AttemptDetails) => {
      known = lease.attemptId;
      place = at;
      mark = markOf;
    },
    /** What the store has to know of an attempt; it may have been away when that was reported. */
    markOf: ({ attemptId }: Lease): AttemptDetails => (attemptId === known ? mark : {}),
    holds: async (lease: Lease | null): Promise<void> => {
      if (lease === null || place === null || lease.attemptId === known) return;
      known = lease.attemptId;
      mark = {};
      const found = await store.task({ id: lease.taskId });
      const task = found.type === 'found' ? found.task : null;
      const { verify, judge } = task ?? { verify: null, judge: null };
      const by = verifiedBy({ ...place, verify, judge, isArmed: place.armed.checks.length > 0 });
      if (by === 'commands') {
        const listed = await store.attempts({ taskId: lease.taskId });
        const attempts = listed.type === 'attempts' ? listed.attempts : [];
        const { folder } = place;
        if (!(await freezeEarlier({ lease, task, attempts, began: {}, folder }, verify, world)))
          await freezeCommands(lease, verify ?? '', folder, world);
      }
      const details = MARKS_OF[by];
      mark = details;
      if (by === 'definition') await freezeAsBegun(lease, world);
      if (details.verify === undefined) return;
      const { workerId, incarnation } = lease;
      await store.heartbeat({ workerId, incarnation, lease, details });
    },
  };
}
