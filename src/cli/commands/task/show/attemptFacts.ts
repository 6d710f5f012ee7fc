import { formatTokens } from '../../../../system/formatTokens.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import type { Attempt } from '../../../wiring/store/openedStore.ts';
import { describeJudge } from './describeJudge.ts';

type Details = Attempt['details'];

const SHORT_COMMIT = 12;
const commit = (id: string) => id.slice(0, SHORT_COMMIT);
const whole = (text: string) => text;

/** In this order; a commit is named by its beginning, which git accepts. */
const PLACES: Readonly<
  Record<keyof Omit<Details, 'tokens' | 'costUsd' | 'judge'>, readonly [string, (value: string) => string]>
> = {
  branch: ['branch', whole],
  continuedFrom: ['continued', whole],
  baseCommit: ['starts from', commit],
  headCommit: ['ends at', commit],
  worktree: ['worktree', whole],
  wipRef: ['unsaved', (ref) => `uncommitted work is kept as ${ref}`],
  pushedCommit: ['pushed', commit],
  pushedWip: ['pushed', (id) => `${commit(id)}, its uncommitted work`],
  pushProblem: ['not pushed', whole],
  verify: ['has to pass', whole],
  verifiedCommit: ['verified', commit],
  verifiedTree: ['tree', commit],
  verifiedBy: ['verified by', whole],
  receipt: ['receipt', whole],
  session: ['session', whole],
  transcript: ['transcript', whole],
};

const NAME_COLUMNS = 13;
const INDENT = 4;

/** What an attempt used, and where its work is: one fact per line, since paths and commits are long. */
export function attemptFacts({ tokens, costUsd, judge, ...places }: Details, page: Page): readonly string[] {
  const spent = [
    ...(tokens === undefined ? [] : [`${formatTokens(tokens)} tokens`]),
    ...(costUsd === undefined ? [] : [`$${Number(costUsd.toFixed(4))}`]),
  ].join(' · ');
  const facts = Object.entries(PLACES).flatMap(([key, [name, shown]]) => {
    const value = places[key as keyof typeof places];
    return value === undefined || value === '' ? [] : [`${name.padEnd(NAME_COLUMNS)}${shown(value)}`];
  });
  return [
    ...(spent === '' ? [] : [spent]),
    ...facts,
    ...(judge === undefined ? [] : [`judge: ${describeJudge(judge)}`]),
  ].map((line) => page.block(visibleText(line), INDENT));
}
