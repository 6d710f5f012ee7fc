import { existsSync } from 'node:fs';
import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import type { EventRow } from '../../../../hooks/events/eventRow.ts';
import { firedEvent } from '../../../../hooks/firedEvent.ts';
import type { FiredEvent } from '../../../../hooks/kind.ts';
import type { HookEvent, HookVerdict } from '../../../../hooks/types.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { readTranscript } from '../../../../session/transcript/readTranscript.ts';
import type { World } from '../../../../system/world.ts';
import { type HooksAlone, openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { type EventInput, subjectOf } from '../eventInput.ts';
import { type BrokenEntry, brokenEntries } from '../list/brokenEntries.ts';

/** A hook of this event that did not run. */
interface NotRun {
  readonly hook: ConfiguredHook;
  readonly why: string;
}

export interface TestPlan {
  readonly event: FiredEvent;
  readonly input: EventInput;
  readonly hooks: readonly ConfiguredHook[];
  readonly notRun: readonly NotRun[];
  readonly broken: readonly BrokenEntry[];
  /** Sentences about settings that could not be read. */
  readonly problems: readonly string[];
}

export interface TestResult extends TestPlan {
  readonly ends: readonly HookEnd[];
  readonly verdict: HookVerdict;
  /** Texts that background hooks left for the model. */
  readonly later: readonly string[];
  /** Labels of background hooks that had to be ended. */
  readonly late: readonly string[];
}

export interface TestWatcher {
  readonly signal: AbortSignal;
  planned(plan: TestPlan): void;
  ended(end: HookEnd, plan: TestPlan): void;
}

/** How long background hooks may still take; the same as at the end of a session. */
const DRAIN_MS = 5_000;

/** Runs the hooks of one event as a session would, and reports each one as it ends. */
export async function tryHooks(
  test: { readonly row: EventRow; readonly input: EventInput; readonly flags: PromptFlags },
  world: World,
  watcher: TestWatcher,
): Promise<TestResult> {
  const { row, input, flags } = test;
  const { signal } = watcher;
  const ends: HookEnd[] = [];
  const onEnd = (end: HookEnd) => {
    ends.push(end);
    watcher.ended(end, plan);
  };
  await using open = await openHooksAlone(flags, world, { event: row.name, signal, onEnd });
  const subject = subjectOf(input, open.subject);
  const { tool_use_id: id } = input.fields;
  const toolUse = typeof id === 'string' ? { toolUseId: id } : {};
  const request = { event: row.name, input: input.fields, subject, signal, ...toolUse };
  const plan = planOf(open, { request, input, row });
  if (input.fields.transcript_path !== undefined) await recall(open, subject.transcriptPath, subject.agentId);
  watcher.planned(plan);
  const verdict = await verdictOf(open.runner.run(request));
  await open.background.wakersEnded(signal);
  const late = await open.background.drain(signal.aborted ? 0 : DRAIN_MS);
  const later = open.background.take().map(({ text }) => text);
  return { ...plan, ends, verdict, later, late };
}

function planOf(
  { runner, gathered }: HooksAlone,
  test: { request: Parameters<typeof runner.explain>[0]; input: EventInput; row: EventRow },
): TestPlan {
  const selected = runner.explain(test.request);
  const skipped = gathered.hooks.skipped.filter(({ hook }) => hook.event === test.row.name);
  const broken = brokenEntries(gathered.hooks.problems, gathered.settings.merged.hooks);
  return {
    event: firedEvent(test.request),
    input: test.input,
    hooks: selected.flatMap((one) => (one.matched ? [one.hook] : [])),
    notRun: [
      ...selected.flatMap((one) => (one.matched ? [] : [{ hook: one.hook, why: one.why }])),
      ...skipped.map(({ hook, reason }) => ({ hook, why: reason })),
    ],
    broken: broken.filter(({ event }) => event === test.row.name),
    problems: gathered.settings.problems.flatMap(({ level, message }) => (level === 'skipped' ? [] : [message])),
  };
}

/** A recorded event names its transcript: judges and message matchers then see its messages. */
async function recall({ log }: HooksAlone, transcript: string, agentId: string | undefined): Promise<void> {
  if (!existsSync(transcript)) return;
  const { messages } = await readTranscript(transcript);
  log.follow({ append: () => {} }, agentId, messages);
}

async function verdictOf(running: AsyncGenerator<HookEvent, HookVerdict>): Promise<HookVerdict> {
  while (true) {
    const { done, value } = await running.next();
    if (done) return value;
  }
}
