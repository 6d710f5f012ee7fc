import type { EntryOf, GateDecision } from '../../../schemas/ledger.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, tableText } from '../../output/table.ts';

/** The results of the checks in one session. */
export interface GateSession {
  readonly session: string;
  readonly agent: string;
  readonly folder: string;
  readonly launch: string | null;
  readonly worker: string | null;
  /** Its stops, newest first. */
  readonly stops: readonly GateStop[];
}

type GateStop = Pick<EntryOf<'stop'>, 'at' | 'durationMs' | 'ending'>;
type Ending = EntryOf<'stop'>['ending'];

/** One row per session that tried to stop, latest stop first. */
export function gateSessions(decisions: readonly GateDecision[]): readonly GateSession[] {
  const sessions = new Map<string, GateSession>();
  for (const decision of decisions) {
    if (decision.type !== 'stop') continue;
    const { session, agent, folder, launch, worker, at, durationMs, ending } = decision;
    const stops = [{ at, durationMs, ending }, ...(sessions.get(session)?.stops ?? [])];
    // reinserted, so that the latest stop is last
    sessions.delete(session);
    sessions.set(session, { session, agent, folder, launch, worker, stops });
  }
  return [...sessions.values()].toReversed();
}

const SHOWN_SESSIONS = 10;

interface GateStatus {
  /** Which checks are armed, in words. */
  readonly armed: string;
  readonly sessions: readonly GateSession[];
}

export function gateLines({ armed, sessions }: GateStatus, { paint, width }: Page, now: number): readonly string[] {
  const shown = sessions.slice(0, SHOWN_SESSIONS);
  const more = sessions.length - shown.length;
  if (shown.length === 0) return [armed, 'No stop has been checked in this folder yet.'];
  const titles = ['WHEN', 'SESSION', 'AGENT', 'STOPS', 'OUTCOME', 'DETAILS'];
  const rows = shown.map((session) => row(session, now));
  return [
    armed,
    tableText({ paint, width, titles }, rows),
    ...(more > 0 ? [paint('dim', `… and ${more} older sessions (--json shows all)`)] : []),
  ];
}

const STYLES: Readonly<Record<Ending['type'], NonNullable<Cell['style']>>> = {
  passed: 'green',
  waived: 'yellow',
  blocked: 'yellow',
  stalled: 'red',
  capped: 'red',
  skipped: 'dim',
  outOfTime: 'yellow',
  notArmed: 'dim',
  notAsked: 'yellow',
  error: 'red',
};

function row({ session, agent, launch, worker, stops }: GateSession, now: number): Cell[] {
  const [last] = stops;
  if (last === undefined) return [];
  const by = worker === null ? launch && `launch ${launch}` : `worker ${worker}`;
  return [
    { text: formatAgo(Date.parse(last.at), now) },
    { text: session.slice(0, 8) },
    { text: by === null ? agent : `${agent}, ${by}` },
    { text: String(stops.length) },
    { text: last.ending.type, style: STYLES[last.ending.type] },
    { text: last.ending.reason },
  ];
}
