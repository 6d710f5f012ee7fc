import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import type { Page } from '../../../output/page.ts';
import { visibleText } from '../../../output/visibleText.ts';
import type { EventInput } from '../eventInput.ts';
import { describeExit2 } from '../eventTexts.ts';
import { brokenText, hookFacts, hookLine } from '../hookLines.ts';
import type { BrokenEntry } from '../list/brokenEntries.ts';

export interface ExplainedHook {
  readonly hook: ConfiguredHook;
  /** Null when it would run. */
  readonly whyNot: string | null;
  /** How long it may take; null in the background. */
  readonly timeoutMs: number | null;
  /** Whether its file needs trust, and has it. */
  readonly trust: 'trusted' | 'not trusted' | 'needs none';
}

export interface Explanation {
  readonly row: EventRow;
  readonly input: EventInput;
  /** The complete input, as hooks get it. */
  readonly stdin: string;
  readonly hooks: readonly ExplainedHook[];
  readonly broken: readonly BrokenEntry[];
}

export function explainText(explanation: Explanation, page: Page): string {
  const { row, hooks, broken } = explanation;
  return [
    `${page.paint('bold', row.name)}: ${summary(hooks)}`,
    ...(row.fired
      ? []
      : [page.paint('yellow', 'This agent does not fire this event; programs that use the library can.')]),
    page.block(`Exit code 2 from a hook: ${describeExit2(row)}.`, 0),
    ...failuresText(row, page),
    ...hooks.map((one) => `\n${hookText(one, page)}`),
    ...broken.map((entry) => `\n${brokenText(entry, WORD_WIDTH, page)}`),
    '',
    inputText(explanation, page),
  ].join('\n');
}

function summary(hooks: readonly ExplainedHook[]): string {
  if (hooks.length === 0) return 'no hooks are configured for it.';
  const running = hooks.filter(({ whyNot }) => whyNot === null).length;
  return `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}, ${running} would run.`;
}

const FAILURES = { answer: 'a hook that fails', execution: 'one that cannot be run', timeout: 'one that times out' };

function failuresText(row: EventRow, page: Page): readonly string[] {
  if (row.blockingFailures.length === 0) return [];
  return [
    page.block(`The same happens with ${row.blockingFailures.map((failure) => FAILURES[failure]).join(', or ')}.`, 0),
  ];
}

const WORD_WIDTH = "won't run".length;
const UNDER = WORD_WIDTH + 4;

function hookText({ hook, whyNot, timeoutMs, trust }: ExplainedHook, page: Page): string {
  const runs = whyNot === null;
  const word = page.paint(runs ? 'green' : 'yellow', (runs ? 'would run' : "won't run").padEnd(WORD_WIDTH));
  const limit = timeoutMs === null ? 'in the background' : `at most ${formatDuration(timeoutMs)}`;
  const facts = hookFacts(hook, page, [...(trust === 'needs none' ? [] : [trust]), ...(runs ? [limit] : [])]);
  return [
    hookLine(hook, word, page),
    page.paint('dim', page.block(facts, UNDER)),
    ...(runs ? [] : [page.paint('yellow', page.block(visibleText(whyNot), UNDER))]),
  ].join('\n');
}

function inputText({ input, stdin }: Explanation, page: Page): string {
  const json = visibleText(JSON.stringify(JSON.parse(stdin), null, 2));
  return `${page.block(`${describeInput(input)} A command hook gets it on stdin, on one line:`, 0)}\n${page.quote(json, '  ')}`;
}

export function describeInput({ isExample, filled }: EventInput): string {
  if (isExample) return 'The input is an example; use --input FILE for your own.';
  return filled.length === 0 ? 'The input is yours.' : `The input is yours; filled in: ${filled.join(', ')}.`;
}
