import { readdirSync, readFileSync } from 'node:fs';

/** Sends a signal to every process of a group; false when nobody is left, or nobody who may be told. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  if (groupId <= 1) throw new Error(`not a process group of ours: ${groupId}`);
  try {
    process.kill(-groupId, signal);
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether a group still has members after its leader was seen to end. While it has, the kernel gives its number to
 * nobody else; so a process of that very number means that the group is gone and the number is a stranger's.
 */
export function hasOrphans(groupId: number): boolean {
  // asked first because the answer is nearly always no, and every no is an exception
  if (!signalGroup(groupId, 0)) return false;
  try {
    process.kill(groupId, 0);
    return false;
  } catch {
    return true;
  }
}

/**
 * Like `hasOrphans`, but the dead do not count: where nobody reaps (a container without an init), a killed orphan
 * stays in its group for ever. Reads all of /proc, so it is for the end of things; without /proc the dead do count.
 */
export function hasLivingOrphans(groupId: number): boolean {
  if (!hasOrphans(groupId)) return false;
  const states = groupStates(groupId);
  return states.length === 0 || states.some((state) => state !== 'Z' && state !== 'X');
}

/** The groups of a session, but for the session's own, whose leader is still there. Without /proc none is found. */
export function leadersOfSession(session: number): readonly number[] {
  const leaders = allStates().filter((seen) => seen.session === session && seen.group === seen.id);
  return leaders.map(({ id }) => id).filter((id) => id !== session);
}

function groupStates(groupId: number): readonly string[] {
  return allStates()
    .filter(({ group }) => group === groupId)
    .map(({ state }) => state);
}

interface SeenProcess {
  readonly id: number;
  readonly state: string;
  readonly group: number;
  readonly session: number;
}

function allStates(): readonly SeenProcess[] {
  try {
    const processIds = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processIds.flatMap((id) => readState(id) ?? []);
  } catch {
    return [];
  }
}

/** `pid (name) state parent group session …`; the name may hold anything, even `) Z 1`. */
function readState(processId: string): SeenProcess | undefined {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const [state = '', , group, session] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { id: Number(processId), state, group: Number(group), session: Number(session) };
  } catch {
    // it ended between the listing and this look
    return undefined;
  }
}
