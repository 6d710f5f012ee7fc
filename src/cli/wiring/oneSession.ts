import type { LedgerEntry } from '../../schemas/ledger.ts';
import { findSessions, readSession, readSessions } from '../../stop/readLedger.ts';
import { outcomeOf } from '../../stop/receipts/outcomeOf.ts';
import { systemClock, wallNow } from '../../system/clock.ts';
import { formatAgo } from '../../system/formatDuration.ts';
import { UserError } from '../../system/userError.ts';

/** The sessions on record whose own id, or that of their launch, begins with a text. */
export function sessionsNamed(wanted: string, stopgateHome: string): readonly string[] {
  const found = findSessions(stopgateHome, wanted);
  return found.length > 0 || wanted === '' ? found : sessionsOfLaunches(wanted, stopgateHome);
}

/** One for each launch: that of its own agent, which began first. Agents that it started have the same launch. */
function sessionsOfLaunches(wanted: string, stopgateHome: string): readonly string[] {
  const launchOf = (entries: readonly LedgerEntry[]) =>
    entries.find(({ launch }) => launch?.startsWith(wanted) === true)?.launch ?? null;
  const sessions = readSessions(stopgateHome).filter((entries) => launchOf(entries) !== null);
  const exact = sessions.filter((entries) => launchOf(entries) === wanted);
  const byLaunch = Map.groupBy(exact.length > 0 ? exact : sessions, launchOf);
  const began = ([first]: readonly LedgerEntry[]) => first?.at ?? '';
  return [...byLaunch.values()].flatMap((own) => {
    const [earliest] = own.toSorted((a, b) => (began(a) < began(b) ? -1 : 1));
    return earliest?.[0]?.session ?? [];
  });
}

/** The session on record that an id or the start of one names. */
export function oneSession(wanted: string, stopgateHome: string): string {
  const found = sessionsNamed(wanted, stopgateHome);
  const [session] = found;
  if (session === undefined) {
    throw new UserError(`No session on record begins with "${wanted}"; \`stopgate status --all\` lists them.`);
  }
  if (found.length > 1)
    throw ambiguous(
      wanted,
      'sessions',
      found.map((id) => candidateLine(id, stopgateHome)),
    );
  return session;
}

const MOST_CANDIDATES = 10;

/** A usage error with what the start of an id may mean. */
export function ambiguous(wanted: string, what: string, candidates: readonly string[]): UserError {
  const more = candidates.length - MOST_CANDIDATES;
  const lines = [...candidates.slice(0, MOST_CANDIDATES), ...(more > 0 ? [`… and ${more} more`] : [])];
  const sentence = `"${wanted}" is the start of ${candidates.length} ${what}; give more of the id:`;
  return new UserError([sentence, ...lines.map((line) => `  ${line}`)].join('\n'));
}

/** `3f2a…  stalled, 2h ago, /work/project` */
function candidateLine(session: string, stopgateHome: string): string {
  const entries = readSession(stopgateHome, session);
  const last = entries.at(-1);
  if (last === undefined) return session;
  return `${session}  ${outcomeOf(entries).type}, ${formatAgo(Date.parse(last.at), wallNow(systemClock))}, ${last.folder}`;
}
