import type { ArmedStart } from '../../stop/sinceStart.ts';
import { freezeAsBegun, freezeCommands, freezeDefinition } from '../../stop/verify/verificationRecord.ts';
import type { AttemptDetails, Lease, Store, Task } from '../../store/types.ts';
import { DEFINITION_OF_DONE, NO_VERIFICATION } from '../../store/verification.ts';
import type { World } from '../../system/world.ts';

/** How the work of an attempt will be verified. */
export type VerifiedBy = 'nothing' | 'commands' | 'definition';

export interface VerifiedFacts {
  /** Of the task; null when it names nothing. */
  readonly verify: string | null;
  /** The project has a definition of done that is armed. */
  readonly isArmed: boolean;
  /** False with `--no-verify`. */
  readonly byDefault: boolean;
}

export function verifiedBy({ verify, isArmed, byDefault }: VerifiedFacts): VerifiedBy {
  if (verify === NO_VERIFICATION) return 'nothing';
  if (verify !== null) return 'commands';
  return isArmed && byDefault ? 'definition' : 'nothing';
}

interface Beginning {
  readonly lease: Lease;
  readonly task: Pick<Task, 'verify'> | null;
  readonly folder: string;
  readonly armed: ArmedStart;
  readonly byDefault: boolean;
}

const MARKED: AttemptDetails = { verify: DEFINITION_OF_DONE };

/** Freezes what the work will be verified with, before an agent can change it. Returns what the store has to know. */
export async function armVerification(beginning: Beginning, world: World): Promise<AttemptDetails> {
  const { lease, task, folder, armed, byDefault } = beginning;
  const verify = task?.verify ?? null;
  const by = verifiedBy({ verify, isArmed: armed.checks.length > 0, byDefault });
  if (by === 'commands') await freezeCommands(lease, verify ?? '', folder, world);
  if (by === 'definition') await freezeDefinition(lease, armed, world);
  return by === 'definition' ? MARKED : {};
}

/** The same for tasks that a running agent is handed; called with what it holds at each heartbeat. */
export function verificationOfHanded(store: Store, world: World) {
  let known: string | null = null;
  let place: Omit<Beginning, 'lease' | 'task'> | null = null;
  return {
    begun: (lease: Lease, at: Omit<Beginning, 'lease' | 'task'>) => {
      known = lease.attemptId;
      place = at;
    },
    holds: async (lease: Lease | null): Promise<void> => {
      if (lease === null || place === null || lease.attemptId === known) return;
      known = lease.attemptId;
      const found = await store.task({ id: lease.taskId });
      const verify = found.type === 'found' ? found.task.verify : null;
      const by = verifiedBy({ ...place, verify, isArmed: place.armed.checks.length > 0 });
      if (by === 'commands') await freezeCommands(lease, verify ?? '', place.folder, world);
      if (by !== 'definition') return;
      await freezeAsBegun(lease, world);
      const { workerId, incarnation } = lease;
      await store.heartbeat({ workerId, incarnation, lease, details: MARKED });
    },
  };
}
