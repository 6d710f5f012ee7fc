import type { EntryOf, GateDecision } from '../../../schemas/ledger.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { ENDING_OUTCOMES, markedOutcome, outcomeStyle } from '../../output/outcomes.ts';
import type { Page } from '../../output/page.ts';
import { shortIds } from '../../output/shortIds.ts';
import { type Cell, tableOrList } from '../../output/table.ts';
import { oneLine } from '../../output/visibleText.ts';

/** The results of the checks in one session. */
export interface GateSession {
  readonly session: string;
  readonly agent: string;
  readonly folder: string;
  readonly launch: string | null;
  readonly worker: string | null;
  /** Its stops, newest first. */
  readonly stops: readonly Pick<EntryOf<'stop'>, 'at' | 'durationMs' | 'ending'>[];
}

/** One row per session that tried to stop, latest stop first. */
export function gateSessions(decisions: readonly GateDecision[]): readonly GateSession[] {
  const sessions = new Map<string, GateSession>();
  for (const decision of decisions) {
    if (decision.type === 'sessionStart') continue;
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
  /** Failures that a person accepted here. */
  readonly accepted: readonly { readonly words: string }[];
  readonly sessions: readonly GateSession[];
}

export function gateLines(status: GateStatus, page: Page, now: number): readonly string[] {
  const { sessions } = status;
  const { paint } = page;
  const accepted = status.accepted.map(({ words }) =>
    paint('yellow', page.block(`Accepted failures: ${oneLine(words)}`, 0)),
  );
  const armed = [page.block(status.armed, 0), ...accepted].join('\n');
  const shown = sessions.slice(0, SHOWN_SESSIONS);
  const more = sessions.length - shown.length;
  if (shown.length === 0) return [armed, page.block('No stop has been checked in this folder yet.', 0)];
  const titles = ['WHEN', 'SESSION', 'AGENT', 'STOPS', 'OUTCOME', 'DETAILS'];
  const short = shortIds(sessions.map(({ session }) => session));
  const rows = shown.map((session) => row(session, short, now));
  return [
    armed,
    tableOrList(page, titles, rows),
    ...(more > 0 ? [paint('dim', page.block(`… and ${more} older sessions (--json shows all)`, 0))] : []),
  ];
}

function row(
  { session, agent, launch, worker, stops }: GateSession,
  short: (id: string) => string,
  now: number,
): Cell[] {
  const [last] = stops;
  if (last === undefined) return [];
  const outcome = ENDING_OUTCOMES[last.ending.type];
  const by = worker === null ? launch && `launch ${launch}` : `worker ${worker}`;
  return [
    { text: formatAgo(Date.parse(last.at), now) },
    { text: short(session) },
    { text: by === null ? agent : `${agent}, ${by}` },
    { text: String(stops.length) },
    { text: markedOutcome(outcome), style: outcomeStyle(outcome) },
    { text: last.ending.reason },
  ];
}
