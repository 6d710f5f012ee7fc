import type { GateDecision } from '../../../schemas/gateDecision.ts';
import { ago } from '../../output/ago.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, tableText } from '../../output/table.ts';

/** How the checks answered one session. */
export interface GateSession {
  readonly session: string;
  readonly agent: string;
  readonly folder: string;
  readonly launch: string | null;
  readonly worker: string | null;
  /** Its stops, newest first. */
  readonly stops: readonly GateStop[];
}

export type GateStop = Pick<GateDecision, 'at' | 'durationMs'> & { readonly ending: Ending };
type Ending = NonNullable<GateDecision['ending']>;

export interface GateStatus {
  /** What holds a stop in this folder now. */
  readonly armed: string;
  /** The session that stopped last comes first. */
  readonly sessions: readonly GateSession[];
}

/** One row for each session that wanted to stop. */
export function gateSessions(decisions: readonly GateDecision[]): readonly GateSession[] {
  const sessions = new Map<string, GateSession>();
  for (const { session, agent, folder, launch, worker, at, durationMs, ending } of decisions) {
    if (ending === null) continue;
    const stops = [{ at, durationMs, ending }, ...(sessions.get(session)?.stops ?? [])];
    // again at the end: the one that stopped last
    sessions.delete(session);
    sessions.set(session, { session, agent, folder, launch, worker, stops });
  }
  return [...sessions.values()].toReversed();
}

const SHOWN_SESSIONS = 10;

export function gateLines({ armed, sessions }: GateStatus, { paint, width }: Page, now: number): readonly string[] {
  const shown = sessions.slice(0, SHOWN_SESSIONS);
  const more = sessions.length - shown.length;
  if (shown.length === 0) return [armed, 'No stop has been checked in this folder yet.'];
  const titles = ['WHEN', 'SESSION', 'AGENT', 'STOPS', 'OUTCOME', 'DETAILS'];
  return [
    armed,
    tableText(
      { paint, width, titles },
      shown.map((session) => row(session, now)),
    ),
    ...(more > 0 ? [paint('dim', `… and ${more} older sessions (--json shows all)`)] : []),
  ];
}

const STYLES: Readonly<Record<Ending['type'], Cell['style']>> = {
  passed: 'green',
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
  const style = STYLES[last.ending.type];
  const by = worker === null ? launch && `launch ${launch}` : `worker ${worker}`;
  return [
    { text: ago(Date.parse(last.at), now) },
    { text: session.slice(0, 8) },
    { text: by === null ? agent : `${agent}, ${by}` },
    { text: String(stops.length) },
    { text: last.ending.type, ...(style ? { style } : {}) },
    { text: last.ending.reason },
  ];
}
