import { stripVTControlCharacters } from 'node:util';
import type { FiredEvent } from '../../../../hooks/kind.ts';
import type { HookVerdict } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import { markedOutcome, outcomeStyle } from '../../../output/outcomes.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import { describeInput } from '../eventInput.ts';
import { brokenText, hookText } from '../hookLines.ts';
import type { EventPlan } from '../planEvent.ts';
import { describeOutcome, describeStatus, hookOutcome } from './describeOutcome.ts';
import { describeVerdict } from './describeVerdict.ts';

export interface TestResult extends EventPlan {
  readonly ends: readonly HookEnd[];
  readonly verdict: HookVerdict;
  /** Texts that background hooks left for the model. */
  readonly later: readonly string[];
  /** Labels of background hooks that had to be ended. */
  readonly late: readonly string[];
  /** Sentences about settings that could not be read. */
  readonly problems: readonly string[];
}

export function planText({ event, input, hooks, broken }: EventPlan, { paint }: Page): string {
  const total = hooks.length + broken.length;
  const running = hooks.filter(({ whyNot }) => whyNot === null).length;
  const of = total === running ? '' : ` of ${total}`;
  const run = `${running}${of} ${running === 1 && of === '' ? 'hook runs' : 'hooks run'}.`;
  const facts = total === 0 ? 'no hooks are configured for it.' : `${run} ${describeInput(input)}`;
  return `${paint('bold', event.title)}: ${facts}`;
}

const INDENT = 4;

/** One hook that ended: its status, how its answer was read, and its output. */
export function endText(end: HookEnd, event: FiredEvent, page: Page): string {
  const { hook, outcome } = end;
  const { durationMs, stdout, stderr } = outcome.printed;
  const verdict = hookOutcome(end, event);
  const word = verdict === null ? describeStatus(outcome) : `${markedOutcome(verdict)} (${describeStatus(outcome)})`;
  const color = verdict === null ? 'dim' : outcomeStyle(verdict);
  const facts = outcome.type === 'background' ? [] : [formatDuration(durationMs)];
  const [first = '', ...others] = describeOutcome(end, event).map(shown);
  return [
    hookText(hook, { word, color, indent: INDENT, facts }, page),
    page.paint('bold', page.block(first, INDENT)),
    ...others.map((line) => page.block(line, INDENT)),
    ...printedText('stdout', stdout, page),
    ...printedText('stderr', stderr, page),
  ].join('\n');
}

function printedText(stream: string, text: string, page: Page): readonly string[] {
  return shownOutput(text).map((line) => page.quote(line, `${' '.repeat(INDENT)}${stream} │ `));
}

/** After all hooks have ended: those that did not run, background results, and the verdict. */
export function resultText({ hooks, broken, verdict, event, later, late, ends }: TestResult, page: Page): string {
  const state = { word: 'not run', color: 'yellow', indent: INDENT } as const;
  const notRun = hooks.filter(({ whyNot }) => whyNot !== null);
  const consequences =
    notRun.length === hooks.length
      ? [{ sentence: 'No hook ran, so nothing was tested.', quotes: [] }]
      : describeVerdict(verdict, event.row, ends);
  return [
    ...notRun.map(({ hook, whyNot }) => `${hookText(hook, { ...state, notes: [whyNot ?? ''] }, page)}\n`),
    ...broken.map((entry) => `${brokenText(entry, 'broken'.length, page)}\n`),
    ...later.map((text) => `A background hook left this for the model:\n${quoted(text, page)}\n`),
    ...late.map((label) =>
      page.paint('yellow', `The background hook ${visibleText(label)} was still running and was ended.\n`),
    ),
    ...consequences.map(({ sentence, quotes }, index) =>
      [index === 0 ? page.paint('bold', sentence) : sentence, ...quotes.map((text) => quoted(text, page))].join('\n'),
    ),
  ].join('\n');
}

const quoted = (text: string, page: Page) => page.block(shown(text), INDENT);

/** A reason may have 100,000 characters. */
const shown = (text: string) => shownOutput(text).join('\n');

const MAX_LINES = 20;
const MAX_CHARACTERS = 2_000;

/** The beginning of a hook's output, without colors; where it is cut, the last line gives the missing amount. */
export function shownOutput(text: string): readonly string[] {
  const whole = visibleText(stripVTControlCharacters(text)).trimEnd();
  if (whole === '') return [];
  const shown = whole.slice(0, MAX_CHARACTERS).split('\n').slice(0, MAX_LINES);
  const left = whole.length - shown.join('\n').length;
  if (left === 0) return shown;
  const dropped = /\[… (\d+) bytes were left out here …\]/.exec(text)?.[1];
  const lost = dropped === undefined ? '' : `, and ${counted(dropped)} bytes that were not kept`;
  return [...shown, `… ${counted(left)} more characters${lost} (--json shows all that was kept)`];
}

const counted = (count: number | string) => Number(count).toLocaleString('en-US');
