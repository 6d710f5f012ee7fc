import type { EntryOf, LedgerEntry } from '../../../schemas/ledger.ts';
import { attemptRecordOf } from '../../../stop/attemptRecord.ts';
import { outcomeOf } from '../../../stop/receipts/outcomeOf.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { outcomeOfEnding, paintedOutcome } from '../../output/outcomes.ts';
import type { Page } from '../../output/page.ts';
import { visibleText } from '../../output/visibleText.ts';
import { describeSpend } from '../receipt/receiptLines.ts';
import { ADVICE, type Advice } from './advice.ts';

/** One event of a session, in words. */
export interface StoryLine {
  readonly at: string;
  readonly text: string;
  /** How often in a row. */
  readonly times: number;
}

type Tellers = { readonly [Type in LedgerEntry['type']]: (entry: EntryOf<Type>) => string };

const TELL: Tellers = {
  sessionStart: ({ agent, source, launch, worker }) => {
    const by = [launch && ` by launch ${launch}`, worker && ` for worker ${worker}`].filter(Boolean).join('');
    return `${agent} ${ownValue(STARTED, source) ?? 'started'}${by}`;
  },
  stop: (entry) => {
    const { ending, durationMs } = entry;
    const took = durationMs < 1 ? '' : `, decided in ${formatDuration(durationMs)}`;
    const record = attemptRecordOf(entry);
    const what = record === null ? STOPPED : CHECKED[record.type];
    return `${ending.type === 'blocked' ? what.blocked : what.other}: ${ending.reason}${took}`;
  },
  run: ({ ending }) => `the run ended: ${ending.reason}`,
  hook: ({ event, hook, source, verdict, reason, durationMs }) =>
    `${event} hook ${hook} (${source}) ${VERDICTS[verdict]}${reason && `: ${reason}`}, after ${formatDuration(durationMs)}`,
  budget: ({ budget, decision, reason, source }) => `${source}: the ${budget} budget ${BUDGETS[decision]}: ${reason}`,
  waiver: ({ check, reason, by }) => `${by} accepted that ${check} fails: ${reason}`,
  end: ({ scope, ending, reason, durationMs, spend }) => {
    const cost = spend === null ? '' : `, ${describeSpend(spend)}`;
    return `${scope} ended as ${ending} after ${formatDuration(durationMs)}${reason && ` (${reason})`}${cost}`;
  },
  spend: ({ source, spend }) => `${source} work after the turn: ${describeSpend(spend)}`,
  capped: ({ reason }) => reason,
};

const STOPPED = { blocked: 'wanted to stop and was sent back', other: 'wanted to stop and was allowed to' };

const CHECKED = {
  verification: { blocked: 'the verification failed', other: 'the verification ended' },
  landing: { blocked: 'the merged result failed its checks', other: 'the merged result was checked' },
  command: { blocked: 'its completion was refused', other: 'its completion was checked' },
} as const;

const STARTED: Readonly<Record<string, string>> = {
  resume: 'resumed the session',
  clear: 'began anew (/clear)',
  fork: 'continued in a copy',
  compact: 'went on after a compaction',
};

const VERDICTS: Readonly<Record<EntryOf<'hook'>['verdict'], string>> = {
  passed: 'let it pass',
  blocked: 'blocked',
  ended: 'ended the turn',
  allowed: 'allowed it',
  asked: 'wants a person to decide',
  deferred: 'deferred the call',
  changed: 'changed it',
  failed: 'gave no verdict',
  cancelled: 'was interrupted',
};

const BUDGETS: Readonly<Record<EntryOf<'budget'>['decision'], string>> = {
  continued: 'sent it on',
  refused: 'refused a call',
  ended: 'ended the turn',
};

/** Oldest first; the same thing several times in a row is one line. */
export function storyOf(entries: readonly LedgerEntry[], isRunning: boolean): readonly StoryLine[] {
  const lines: StoryLine[] = [];
  for (const entry of entries) {
    const text = (TELL[entry.type] as (one: LedgerEntry) => string)(entry);
    const last = lines.at(-1);
    if (last?.text === text) lines.splice(-1, 1, { ...last, times: last.times + 1 });
    else lines.push({ at: entry.at, text, times: 1 });
  }
  const last = entries.at(-1);
  return last && isLost(entries, isRunning) ? [...lines, { at: last.at, text: LOST, times: 1 }] : lines;
}

const LOST = 'no end is on record, and its process is gone: it was killed or crashed after this';

/** Our own agent records its end, so a missing one means that it had none. */
function isLost(entries: readonly LedgerEntry[], isRunning: boolean): boolean {
  const last = entries.at(-1);
  if (isRunning || last === undefined || last.agent !== 'stopgate') return false;
  return (
    entries.findLastIndex(({ type }) => type === 'sessionStart') > entries.findLastIndex(({ type }) => type === 'end')
  );
}

/** What would have to change for another end. */
export function adviceFor(entries: readonly LedgerEntry[], isRunning: boolean): string {
  const { type, reason, stop } = outcomeOf(entries);
  const last = entries.at(-1);
  const session = last?.session ?? '';
  const failing = stop?.ending.checks.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name) ?? [];
  if (type === 'running' && !isRunning && isLost(entries, isRunning)) {
    return `Continue it with \`stopgate -p "…" --resume ${session}\`; nothing was proven.`;
  }
  const advice: Advice = ownValue(ADVICE, type) ?? (() => `It ended as ${type}: ${reason}`);
  return advice({ session, reason, failing, why: stop?.ending.why, record: last ? attemptRecordOf(last) : null });
}

/** The session and `= stalled`, below it where there is no room; the words of other endings are in the story. */
function headingOf(entries: readonly LedgerEntry[], { paint, width, block }: Page): string {
  const title = visibleText(`Session ${entries[0]?.session ?? ''}`);
  const outcome = outcomeOfEnding(outcomeOf(entries).type);
  const bold = paint('bold', block(title, 0));
  if (outcome === null) return bold;
  const gap = title.length + MARK_COLUMNS <= width ? '  ' : '\n';
  return `${bold}${gap}${paintedOutcome(outcome, paint)}`;
}

const MARK_COLUMNS = 16;

/** The page of `stopgate why`. */
export function storyText(entries: readonly LedgerEntry[], isRunning: boolean, page: Page): string {
  const { paint } = page;
  const [first] = entries;
  const lines = storyOf(entries, isRunning).map(({ at, text, times }) => {
    const [day, hour = ''] = at.split('T');
    const when = day === first?.at.split('T')[0] ? hour.slice(0, 8) : `${day} ${hour.slice(0, 8)}`;
    return page.block(visibleText(`${when}  ${text}${times > 1 ? ` (${times} times)` : ''}`), 0);
  });
  return [
    headingOf(entries, page),
    paint('dim', page.block(visibleText(`${first?.folder ?? ''}, ${first?.at.split('T')[0] ?? ''}, times in UTC`), 0)),
    ...lines,
    '',
    paint('bold', 'What would have to change'),
    page.block(visibleText(adviceFor(entries, isRunning)), 0),
    '',
  ].join('\n');
}
