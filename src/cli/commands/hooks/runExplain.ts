import { isFromProject } from '../../../hooks/configure/configureHooks.ts';
import type { ConfiguredHook } from '../../../hooks/configuredHook.ts';
import type { EventRow } from '../../../hooks/events/eventRow.ts';
import { SETTINGS_KINDS } from '../../../hooks/kinds/hookKinds.ts';
import { timeoutFor } from '../../../hooks/timeouts.ts';
import type { HookEventName } from '../../../hooks/types.ts';
import type { FolderTrust } from '../../../session/trust/folderTrust.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import type { Page } from '../../output/page.ts';
import { printResult } from '../../output/printResult.ts';
import { visibleText } from '../../output/visibleText.ts';
import { openHooksAlone } from '../../wiring/openHooksAlone.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { whyHookOff } from '../../wiring/trust/hookTrust.ts';
import { describeInput, type EventInput, type EventOptions, readInput, requireEvent } from './eventInput.ts';
import { describeExit2 } from './eventTexts.ts';
import { brokenJson, brokenText, hookJson, hookText } from './hookLines.ts';
import { type EventPlan, planEvent } from './planEvent.ts';

/** `stopgate hooks explain`: what would happen, without running anything. */
export async function runExplain(name: string, options: EventOptions, flags: PromptFlags): Promise<number> {
  const { name: event } = requireEvent(name);
  const world = thisWorld();
  const input = await readInput(event, options.input, world.cwd);
  const explanation = await explainEvent(event, input, flags, world);
  const json = options.json ? explanationJson(explanation) : null;
  return printResult(json, world, (page) => `${explainText(explanation, page)}\n`);
}

async function explainEvent(event: HookEventName, input: EventInput, flags: PromptFlags, world: World) {
  const { signal } = new AbortController();
  await using open = await openHooksAlone(flags, world, { event, signal });
  const plan = planEvent(event, input, open, signal);
  return { ...plan, hooks: explainHooks(plan, open.gathered.trust, world) };
}

type Explanation = Awaited<ReturnType<typeof explainEvent>>;
type ExplainedHook = Explanation['hooks'][number];

/** Adds to each hook how long it may take (null in the background), and whether its file needs trust and has it. */
function explainHooks({ hooks, event: { row } }: EventPlan, trust: FolderTrust, { env, cwd }: World) {
  const running = hooks.flatMap(({ hook, whyNot }) => (whyNot === null ? [hook] : []));
  const budgetOverride = env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS;
  return hooks.map(({ hook, whyNot }) => {
    const kind = SETTINGS_KINDS.find(({ type }) => type === hook.kind);
    const free = hook.settings.async === true && hook.settings.asyncRewake !== true;
    const timeoutMs = free ? null : timeoutFor(hook, { row, kind, hooks: running, budgetOverride });
    return { hook, whyNot, timeoutMs, trust: trustWord(hook, trust, cwd) };
  });
}

function trustWord(hook: ConfiguredHook, trust: FolderTrust, projectDir: string) {
  if (!isFromProject(hook)) return 'needs none';
  if (whyHookOff(hook, trust, { projectDir, cwd: projectDir }) === null) return 'trusted';
  return trust.level === 'content' ? 'changed since trusted' : 'not trusted';
}

function explanationJson({ event, input, hooks, broken }: Explanation) {
  return {
    event: event.name,
    fired: event.row.fired,
    exit2: describeExit2(event.row),
    hooks: hooks.map(({ hook, ...facts }) => ({ ...hookJson(hook), wouldRun: facts.whyNot === null, ...facts })),
    broken: broken.map(brokenJson),
    example: input.isExample,
    filled: input.filled,
    stdin: event.json,
  };
}

function explainText({ event, input, hooks, broken }: Explanation, page: Page): string {
  const { row } = event;
  return [
    `${page.paint('bold', row.name)}: ${summary(hooks)}`,
    ...(row.fired
      ? []
      : [page.paint('yellow', 'This agent does not fire this event; programs that use the library can.')]),
    page.block(`Exit code 2 from a hook: ${describeExit2(row)}.`, 0),
    ...failuresText(row, page),
    ...hooks.map((one) => `\n${explainedText(one, page)}`),
    ...broken.map((entry) => `\n${brokenText(entry, WORD_WIDTH, page)}`),
    '',
    page.block(`${describeInput(input)} A command hook gets it on stdin, on one line:`, 0),
    page.quote(visibleText(JSON.stringify(JSON.parse(event.json), null, 2)), '  '),
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

function explainedText({ hook, whyNot, timeoutMs, trust }: ExplainedHook, page: Page): string {
  const limit = timeoutMs === null ? 'in the background' : `at most ${formatDuration(timeoutMs)}`;
  const facts = trust === 'needs none' ? [] : [trust];
  const indent = WORD_WIDTH + 4;
  return whyNot === null
    ? hookText(hook, { word: 'would run', color: 'green', indent, facts: [...facts, limit] }, page)
    : hookText(hook, { word: "won't run", color: 'yellow', indent, facts, notes: [whyNot] }, page);
}
