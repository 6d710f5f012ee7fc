import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import { eventFacts } from '../../../../hooks/events/eventTable.ts';
import { firedEvent } from '../../../../hooks/firedEvent.ts';
import { SETTINGS_KINDS } from '../../../../hooks/kinds/hookKinds.ts';
import { timeoutFor } from '../../../../hooks/timeouts.ts';
import { thisWorld } from '../../../../system/world.ts';
import { drained, processWriter } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { type HooksAlone, openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { readInput, requireEvent, subjectOf } from '../eventInput.ts';
import { describeExit2 } from '../eventTexts.ts';
import { brokenJson, hookJson } from '../hookLines.ts';
import { brokenEntries } from '../list/brokenEntries.ts';
import { type ExplainedHook, type Explanation, explainText } from './explainText.ts';

export interface ExplainOptions {
  readonly input?: string;
  readonly json?: boolean;
}

/** `stopgate hooks explain`: what would happen, without running anything. */
export async function runExplain(name: string, options: ExplainOptions, flags: PromptFlags): Promise<number> {
  const row = requireEvent(name);
  const world = thisWorld();
  const input = await readInput(row.name, options.input, world.cwd);
  const writer = processWriter(() => {});
  const { signal } = new AbortController();
  await using open = await openHooksAlone(flags, world, { event: row.name, signal });
  const { gathered } = open;
  const request = { event: row.name, input: input.fields, subject: subjectOf(input, open.subject), signal };
  const explanation: Explanation = {
    row,
    input,
    stdin: firedEvent(request).json,
    hooks: explainHooks(open, request, world.env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS),
    broken: brokenEntries(gathered.hooks.problems, gathered.settings.merged.hooks).filter(
      ({ event }) => event === row.name,
    ),
  };
  const text = options.json
    ? JSON.stringify(explanationJson(explanation))
    : explainText(explanation, pageFor(writer, world));
  writer.out(`${text}\n`);
  await drained();
  return 0;
}

/** Every hook of an event, with whether it would run now, or why not. */
function explainHooks(
  { runner, gathered: { hooks: configured, trusted } }: HooksAlone,
  request: Parameters<typeof runner.explain>[0],
  budgetOverride: string | undefined,
): readonly ExplainedHook[] {
  const selected = runner.explain(request);
  const row = eventFacts(request.event);
  const hooks = selected.flatMap((one) => (one.matched ? [one.hook] : []));
  const explain = (hook: ConfiguredHook, whyNot: string | null): ExplainedHook => {
    const kind = SETTINGS_KINDS.find(({ type }) => type === hook.kind);
    const free = hook.settings.async === true && hook.settings.asyncRewake !== true;
    const timeoutMs = free ? null : timeoutFor(hook, { row, kind, hooks, budgetOverride });
    const trust =
      hook.source !== 'project' && hook.source !== 'local' ? 'needs none' : trusted ? 'trusted' : 'not trusted';
    return { hook, whyNot, timeoutMs, trust };
  };
  return [
    ...selected.map((one) => explain(one.hook, one.matched ? null : one.why)),
    ...configured.skipped
      .filter(({ hook }) => hook.event === row.name)
      .map(({ hook, reason }) => explain(hook, reason)),
  ];
}

function explanationJson({ row, input, stdin, hooks, broken }: Explanation) {
  return {
    event: row.name,
    fired: row.fired,
    exit2: describeExit2(row),
    hooks: hooks.map(({ hook, whyNot, timeoutMs, trust }) => ({
      ...hookJson(hook),
      wouldRun: whyNot === null,
      whyNot,
      timeoutMs,
      trust,
    })),
    broken: broken.map(brokenJson),
    example: input.isExample,
    filled: input.filled,
    stdin,
  };
}
