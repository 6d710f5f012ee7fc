import path from 'node:path';
import { MARKS_OF, verifiedBy } from '../../../../launch/attempt/armVerification.ts';
import { taskFolders } from '../../../../launch/attempt/taskFolders.ts';
import { completionSession, readStart } from '../../../../stop/startFile.ts';
import { freezeIfMissing } from '../../../../stop/verify/verificationRecord.ts';
import { NO_VERIFY } from '../../../../stop/worker/workerIdentity.ts';
import { systemClock } from '../../../../system/clock.ts';
import { spawnProcesses } from '../../../../system/spawnProcesses.ts';
import { stopgateHome } from '../../../../system/stopgateHome.ts';
import type { AttemptDetails, Lease } from '../../../wiring/store/openedStore.ts';

interface Completed {
  readonly lease: Lease;
  readonly verify: string | null;
  readonly judge: string | null;
  /** What the attempt reported about itself. */
  readonly own: AttemptDetails;
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** The commit with the work of a task, if it will be verified; else null. */
export async function keptForVerifier(completed: Completed): Promise<AttemptDetails | null> {
  const { lease, verify, judge, own, env, folder } = completed;
  const home = stopgateHome(env);
  const start = readStart(home, completionSession(lease));
  const isArmed = (start?.checks.length ?? 0) > 0;
  const byDefault = env[NO_VERIFY] !== '1';
  const by = own.verify === undefined ? verifiedBy({ verify, isArmed, byDefault, judge }) : 'definition';
  if (by === 'nothing') return null;
  const cwd = own.worktree ?? (start?.file ? path.dirname(start.file) : folder);
  await using processes = spawnProcesses({ env });
  const folders = taskFolders({ processes, env, cwd, stopgateHome: home });
  const kept = await folders.keep({ path: cwd, base: own.baseCommit, branch: own.branch ?? null }, lease);
  await freezeIfMissing(lease, { verify, folder: cwd }, { env, stopgateHome: home, clock: systemClock, processes });
  return { ...kept, ...MARKS_OF[by], ...(own.verify !== undefined && { verify: own.verify }) };
}
