import { userInfo } from 'node:os';

/** Who runs this process, for records that people read. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // a user id without a name, as in containers
    return String(process.getuid?.() ?? 'unknown');
  }
}
