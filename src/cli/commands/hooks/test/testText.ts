import type { HookEnd } from '../../../../hooks/verdict.ts';
import { durationInWords } from '../../../output/durations.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import { inputInWords } from '../explain/explainText.ts';
import { brokenText, hookFacts, hookLine } from '../hookLines.ts';
import { outcomeInWords, statusInWords } from './outcomeInWords.ts';
import { shownOutput } from './shownOutput.ts';
import type { TestPlan, TestResult } from './tryHooks.ts';
import { verdictInWords } from './verdictInWords.ts';

/** What is about to be run. */
export function planText({ event, input, hooks, notRun, broken }: TestPlan, { paint }: Page): string {
  const total = hooks.length + notRun.length + broken.length;
  const of = total === hooks.length ? '' : ` of ${total}`;
  const run = `${hooks.length}${of} ${hooks.length === 1 && of === '' ? 'hook runs' : 'hooks run'}.`;
  const words = total === 0 ? 'no hooks are configured for it.' : `${run} ${inputInWords(input)}`;
  return `${paint('bold', event.title)}: ${words}`;
}

const INDENT = 4;

/** One hook that ended: how, what that was read as, and what it printed. */
export function endText(end: HookEnd, { event }: TestPlan, page: Page): string {
  const { hook, outcome } = end;
  const { durationMs, stdout, stderr } = outcome.printed;
  const colour = outcome.type === 'failed' ? 'red' : outcome.type === 'said' ? 'green' : 'yellow';
  const took = outcome.type === 'background' ? '' : ` · ${durationInWords(durationMs)}`;
  const [first = '', ...others] = outcomeInWords(end, event).map(shown);
  return [
    hookLine(hook, page.paint(colour, statusInWords(outcome)), page),
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

/** After all have ended: who was not asked, what was left behind, what it comes to. */
export function resultText(result: TestResult, page: Page): string {
  const { notRun, broken, verdict, event, later, late, hooks, ends } = result;
  const word = page.paint('yellow', 'not run');
  const consequences = verdictInWords(verdict, event.row, ends);
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
    ...later.map((text) => `Left by a background hook for the model:\n${quoted(text, page)}\n`),
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
