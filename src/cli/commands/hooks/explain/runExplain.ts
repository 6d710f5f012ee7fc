import { firedEvent } from '../../../../hooks/firedEvent.ts';
import { thisWorld } from '../../../../system/world.ts';
import { drained, processWriter } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { readInput, requireEvent, subjectOf } from '../eventInput.ts';
import { describeExit2 } from '../eventWords.ts';
import { brokenJson, hookJson } from '../hookLines.ts';
import { brokenEntries } from '../list/brokenEntries.ts';
import { explainHooks } from './explainedHooks.ts';
import { type Explanation, explainText } from './explainText.ts';

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
  const { gathered, runner } = open;
  const request = { event: row.name, input: input.fields, subject: subjectOf(input, open.subject), signal };
  const explanation: Explanation = {
    row,
    input,
    stdin: firedEvent(request).json,
    hooks: explainHooks({
      row,
      selected: runner.explain(request),
      skipped: gathered.hooks.skipped,
      trusted: gathered.trusted,
      budgetOverride: world.env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS,
    }),
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
