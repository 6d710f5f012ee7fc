import { describeUnlanded, isUnlanded } from '../../../launch/land/landingLease.ts';
import { REVIEWABLE } from '../../../store/review.ts';
import { formatSeconds } from '../../../system/formatDuration.ts';
import type { Page } from '../../output/page.ts';
import { type Cell, type Column, columnsText } from '../../output/table.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import type { Review, ReviewState } from '../../wiring/store/openedStore.ts';
import { describeJudge } from '../task/show/describeJudge.ts';
import type { Proof, ReviewFacts } from './gatherReview.ts';

const SHORT_ID = 8;

const STYLES: Readonly<Record<ReviewState, NonNullable<Cell['style']>>> = {
  waiting: 'yellow',
  returned: 'red',
  accepted: 'cyan',
  landing: 'cyan',
  landed: 'green',
  proposed: 'green',
  rejected: 'dim',
};

/** `interrupted`: the process that landed it is gone. */
const stateOf = (review: Review): Cell =>
  review.state === 'landing' && isUnlanded(review)
    ? { text: 'interrupted', style: 'red' }
    : { text: review.state, style: STYLES[review.state] };

const PROOF_STYLES: Readonly<Record<Proof['type'], NonNullable<Cell['style']>>> = {
  verified: 'green',
  unknown: 'yellow',
  none: 'yellow',
  changed: 'red',
};

/** `verified, 3 checks`. */
function proofText({ type, checks }: Proof, judge: Review['details']['judge']): string {
  return `${verifiedText({ type, checks })}${judge === undefined ? '' : JUDGED[judge.verdict]}`;
}

const JUDGED = { ok: ', judge ok', rejected: ', judge rejected', none: ', no verdict of judge' } as const;

function verifiedText({ type, checks }: Pick<Proof, 'type' | 'checks'>): string {
  if (type === 'none') return 'not verified';
  if (type === 'changed') return 'receipt changed';
  if (type === 'unknown') return 'verified elsewhere';
  return `verified, ${checks.length} check${checks.length === 1 ? '' : 's'}`;
}

/** `3 files +12 -4`. */
function diffSummary({ diff }: Pick<ReviewFacts, 'diff'>): string {
  if (diff === null) return '';
  const { length } = diff.files;
  return `${length} file${length === 1 ? '' : 's'} +${diff.added} -${diff.removed}`;
}

/** Of the attempt, with what judging it cost. */
function costText({ details: { costUsd, judge } }: Review): string {
  const known = [costUsd, judge?.costUsd].filter((usd) => usd !== undefined);
  return known.length === 0 ? '' : `$${known.reduce((sum, usd) => sum + usd, 0).toFixed(2)}`;
}

const ageText = ({ createdAt }: Review, now: number) => formatSeconds(now - createdAt);

/** The page of `stopgate review`. */
export function reviewList(
  { reviews, now, isCut }: { readonly reviews: readonly ReviewFacts[]; readonly now: number; readonly isCut: boolean },
  page: Page,
  isTerminal: boolean,
): string {
  const columns: readonly Column<ReviewFacts>[] = [
    { title: 'TASK', cell: ({ review }) => ({ text: isTerminal ? review.taskId.slice(0, SHORT_ID) : review.taskId }) },
    { title: 'STATE', cell: ({ review }) => stateOf(review) },
    { title: 'AGE', cell: ({ review }) => ({ text: ageText(review, now) }) },
    { title: 'DIFF', cell: (facts) => ({ text: diffSummary(facts) }) },
    {
      title: 'PROOF',
      cell: ({ proof, review }) => ({ text: proofText(proof, review.details.judge), style: PROOF_STYLES[proof.type] }),
    },
    { title: 'COST', isSpare: true, cell: ({ review }) => ({ text: costText(review) }) },
    { title: 'TITLE', cell: ({ review }) => ({ text: titleOf(review) }) },
  ];
  const waiting = reviews.filter(({ review }) => REVIEWABLE.includes(review.state)).length;
  const unlanded = reviews.filter(({ review }) => isUnlanded(review)).length;
  const more = isCut ? page.paint('dim', '… and more; --limit shows more\n') : '';
  const totals = [
    ...(waiting > 0 || unlanded === 0
      ? [`${waiting} wait${waiting === 1 ? 's' : ''} for you: stopgate review show|open|accept|reject ID`]
      : []),
    ...(unlanded > 0 ? [describeUnlanded(unlanded)] : []),
  ];
  return `${columnsText(page, columns, reviews)}\n${more}${totals.map((line) => `${page.block(line, 0)}\n`).join('')}`;
}

/** Its sentence, and the lines of what failed. */
export function reasonOf({ reason: whole }: Pick<Review, 'reason'>) {
  const [reason = null, ...others] = whole?.split('\n\n') ?? [];
  return { reason, failingPart: others.length === 0 ? [] : others.join('\n\n').split('\n') };
}

/** The reason comes first, so that it is not cut. */
const titleOf = ({ title, target, state, ...review }: Review) => {
  const { reason } = reasonOf(review);
  const where = state === 'accepted' || state === 'landing' ? `to ${target}` : '';
  const why = [where, reason === null ? '' : oneLine(reason, REASON)].filter(Boolean).join(': ');
  return why === '' ? title : `[${why}] ${title}`;
};

const REASON = 60;

/** The page of `stopgate review show`. */
export function reviewPage(
  { review, work, whyNoWork, diff, proof, receipt }: ReviewFacts,
  { now, subjects }: { readonly now: number; readonly subjects: readonly string[] },
  page: Page,
): string {
  const { details, startedAt, endedAt } = review;
  const { reason, failingPart } = reasonOf(review);
  const took = startedAt === null || endedAt === null ? null : formatSeconds(endedAt - startedAt);
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [
      'State',
      `${stateOf(review).text}${review.target === null ? '' : `, ${review.target}`}, done ${ageText(review, now)} ago`,
    ],
    ['Reason', reason],
    ['Branch', details.branch],
    ['Commit', work?.commit],
    ['Base', work?.base],
    ['Landed as', review.landedCommit],
    ['Proof', proof.type === 'none' ? 'not verified' : `${verifiedText(proof)}, by ${proof.verifiedBy}`],
    ['Judge', details.judge && describeJudge(details.judge)],
    ['Not proven', receipt === null ? null : receipt.receipt.notProven.join(' ')],
    ['Took', took],
    ['Cost', costText(review)],
    ['Worktree', details.worktree],
    ['Receipt', proof.file],
  ];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', page.paint('bold', title), ...lines.map((line) => page.block(visibleText(line), 2))];
  const files = (diff?.files ?? []).map(({ path, added, removed }) =>
    added === null ? `${path}  binary` : `${path}  +${added} -${removed}`,
  );
  return [
    page.paint('bold', page.block(oneLine(`${review.taskId}  ${review.title}`), 0)),
    ...facts.flatMap(([name, value]) => (value ? [page.fact(name, oneLine(value))] : [])),
    ...section('What failed', failingPart),
    ...section(
      'Checks',
      proof.checks.map(({ name, outcome }) => `${name}: ${outcome}`),
    ),
    ...section('Commits', subjects),
    ...section(`Files (${diffSummary({ diff })})`, files.slice(0, MOST_FILES)),
    ...(files.length > MOST_FILES ? [page.block(`… and ${files.length - MOST_FILES} more`, 2)] : []),
    ...section('Result', (review.result ?? '').trim() === '' ? [] : (review.result ?? '').trim().split('\n')),
    ...(whyNoWork === null ? [] : ['', page.block(whyNoWork, 0)]),
    '',
  ].join('\n');
}

const MOST_FILES = 40;
