import { stripVTControlCharacters } from 'node:util';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import { describeInput } from '../explain/explainText.ts';
import { brokenText, hookFacts, hookLine } from '../hookLines.ts';
import { describeOutcome, describeStatus } from './describeOutcome.ts';
import { describeVerdict } from './describeVerdict.ts';
import type { TestPlan, TestResult } from './tryHooks.ts';

export function planText({ event, input, hooks, notRun, broken }: TestPlan, { paint }: Page): string {
  const total = hooks.length + notRun.length + broken.length;
  const of = total === hooks.length ? '' : ` of ${total}`;
  const run = `${hooks.length}${of} ${hooks.length === 1 && of === '' ? 'hook runs' : 'hooks run'}.`;
  const facts = total === 0 ? 'no hooks are configured for it.' : `${run} ${describeInput(input)}`;
  return `${paint('bold', event.title)}: ${facts}`;
}

const INDENT = 4;

/** One hook that ended: its status, how its answer was read, and its output. */
export function endText(end: HookEnd, { event }: TestPlan, page: Page): string {
  const { hook, outcome } = end;
  const { durationMs, stdout, stderr } = outcome.printed;
  const color = outcome.type === 'failed' ? 'red' : outcome.type === 'said' ? 'green' : 'yellow';
  const took = outcome.type === 'background' ? '' : ` · ${formatDuration(durationMs)}`;
  const [first = '', ...others] = describeOutcome(end, event).map(shown);
  return [
    hookLine(hook, page.paint(color, describeStatus(outcome)), page),
    page.paint('dim', page.block(`${hookFacts(hook, page)}${took}`, INDENT)),
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
export function resultText(result: TestResult, page: Page): string {
  const { notRun, broken, verdict, event, later, late, hooks, ends } = result;
  const word = page.paint('yellow', 'not run');
  const consequences = describeVerdict(verdict, event.row, ends);
  return [
    ...notRun.map(({ hook, why }) =>
      [
        hookLine(hook, word, page),
        page.paint('dim', page.block(hookFacts(hook, page), INDENT)),
        page.paint('yellow', page.block(visibleText(why), INDENT)),
        '',
      ].join('\n'),
    ),
    ...broken.map((entry) => `${brokenText(entry, 'broken'.length, page)}\n`),
    ...later.map((text) => `A background hook left this for the model:\n${quoted(text, page)}\n`),
    ...late.map((label) =>
      page.paint('yellow', `The background hook ${visibleText(label)} was still running and was ended.\n`),
    ),
    ...(hooks.length === 0 ? [page.paint('bold', 'No hook ran, so nothing was tested.')] : []),
    ...(hooks.length === 0 ? [] : consequences).map(({ sentence, quotes }, index) =>
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
