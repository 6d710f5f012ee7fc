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
  try {
    process.kill(groupId, 0);
    return false;
  } catch {
    return signalGroup(groupId, 0);
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

function groupStates(groupId: number): readonly string[] {
  try {
    const processIds = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return processIds.flatMap((id) => {
      const { state, group } = readState(id);
      return group === groupId ? [state] : [];
    });
  } catch {
    return [];
  }
}

/** `pid (name) state parent group …`; the name may hold anything, even `) Z 1`. */
function readState(processId: string): { readonly state: string; readonly group: number } {
  try {
    const line = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const [state = '', , group] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { state, group: Number(group) };
  } catch {
    // it ended between the listing and this look
    return { state: '', group: 0 };
  }
}
