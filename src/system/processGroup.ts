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
