/**
 * SQLite 3.7.0 to 3.51.2 can lose committed pages in WAL mode when one connection writes while another one resets the log.
 * Fixed in 3.51.3, and in 3.44.6 and 3.50.7 on these lines.
 */
export function hasWalResetFault(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (major !== 3 || minor < 7 || minor > 51) return false;
  const fixedAt = FIXED_PATCHES.get(minor);
  return fixedAt === undefined || patch < fixedAt;
}

const FIXED_PATCHES: ReadonlyMap<number, number> = new Map([
  [44, 6],
  [50, 7],
  [51, 3],
]);
