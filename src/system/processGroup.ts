import { attempt } from './attempt.ts';
import { processIds, statFields } from './procfs.ts';

/** Sends a signal to every process of a group; false when none is left, or none that we may signal. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  if (groupId <= 1) throw new Error(`not a process group of ours: ${groupId}`);
  return attempt(() => process.kill(-groupId, signal), false);
}

/**
 * Whether a group still has members after its leader ended. Until then the kernel does not reuse its number, so a process
 * with that number means that the group is gone.
 */
export function hasOrphans(groupId: number): boolean {
  // first, because the answer is nearly always no, and the other check throws then
  if (!signalGroup(groupId, 0)) return false;
  return attempt(() => !process.kill(groupId, 0), true);
}

/**
 * Like `hasOrphans`, but dead processes do not count: in a container without an init, a killed orphan stays in its group
 * forever. Reads all of /proc, so it is slow; without /proc dead processes do count.
 */
export function hasLivingOrphans(groupId: number): boolean {
  if (!hasOrphans(groupId)) return false;
  const members = allStates().filter(({ group }) => group === groupId);
  return members.length === 0 || members.some(({ state }) => state !== 'Z' && state !== 'X');
}

/** The groups of a session whose leader still exists, except the session's own. Empty without /proc. */
export function leadersOfSession(session: number): readonly number[] {
  const leaders = allStates().filter((seen) => seen.session === session && seen.group === seen.id);
  return leaders.map(({ id }) => id).filter((id) => id !== session);
}

const allStates = () =>
  processIds().flatMap((id) => {
    const [state, , group, session] = statFields(id) ?? [];
    return state === undefined ? [] : [{ id, state, group: Number(group), session: Number(session) }];
  });
