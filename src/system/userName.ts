import { userInfo } from 'node:os';
import { attempt } from './attempt.ts';

/** Who runs this process, for records that people read. */
export const userName = (): string =>
  // a user id may have no name, as in containers
  attempt(() => userInfo().username, String(process.getuid?.() ?? 'unknown'));
