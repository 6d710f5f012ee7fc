import { findSessions } from '../../stop/readLedger.ts';
import { UserError } from '../../system/userError.ts';

/** The session on record that an id or the start of one names. */
export function oneSession(wanted: string, stopgateHome: string): string {
  const found = findSessions(stopgateHome, wanted);
  const [session] = found;
  if (session === undefined) {
    throw new UserError(`No session on record begins with "${wanted}"; \`stopgate status --all\` lists them.`);
  }
  if (found.length > 1) {
    throw new UserError(
      `"${wanted}" is the start of ${found.length} sessions: ${found.join(', ')}; give more of the id.`,
    );
  }
  return session;
}
