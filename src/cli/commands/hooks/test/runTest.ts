import { existsSync } from 'node:fs';
import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import type { HookEnd } from '../../../../hooks/verdict.ts';
import { readTranscript } from '../../../../session/transcript/readTranscript.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../../system/interrupts.ts';
import { returnValueOf } from '../../../../system/returnValueOf.ts';
import { thisWorld, type World } from '../../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { statusLine } from '../../../output/statusLine.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { type HooksAlone, openHooksAlone } from '../../../wiring/openHooksAlone.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { type EventOptions, readInput, requireEvent } from '../eventInput.ts';
import { brokenJson, hookJson } from '../hookLines.ts';
import { type EventPlan, planEvent } from '../planEvent.ts';
import { describeOutcome, describeStatus, hookOutcome } from './describeOutcome.ts';
import { describeVerdict } from './describeVerdict.ts';
import { endText, planText, resultText, type TestResult } from './testText.ts';

/** How long background hooks may still take; the same as at the end of a session. */
const DRAIN_MS = 5_000;

/** `stopgate hooks test`: the hooks of one event run as in a session, and each is reported as it ends. */
export async function runTest(name: string, options: EventOptions, flags: PromptFlags): Promise<number> {
  const { name: event } = requireEvent(name);
  const world = thisWorld();
  const input = await readInput(event, options.input, world.cwd);
  using interrupts = listenForInterrupts(
    (signal) => {
      world.processes.killAll();
      process.exit(SIGNAL_EXIT[signal]);
    },
    (text) => writer.errIsTerminal && writer.err(`\n${text}\n`),
    { what: 'the hooks' },
  );
  const writer = processWriter(() => interrupts.abort());
  const { signal } = interrupts;
  const show = showTest(writer, world, options.json === true);
  const ends: HookEnd[] = [];
  const onEnd = (end: HookEnd) => {
    ends.push(end);
    show.ended(end, plan);
  };
  await using open = await openHooksAlone(flags, world, { event, signal, onEnd });
  const plan = planEvent(event, input, open, signal);
  const unread = open.gathered.settings.problems.filter(({ level }) => level !== 'skipped');
  const problems = unread.map(({ message }) => message);
  if (input.fields.transcript_path !== undefined) await recall(open, plan);
  show.planned(plan, problems);
  const verdict = await returnValueOf(open.runner.run(plan.request));
  await open.background.wakersEnded(signal);
  const late = await open.background.drain(signal.aborted ? 0 : DRAIN_MS);
  const later = open.background.take().map(({ text }) => text);
  show.result({ ...plan, problems, ends, verdict, later, late });
  await drained();
  return interrupts.exitCode() ?? exitCodeOf(plan, ends);
}

function exitCodeOf({ hooks, broken }: EventPlan, ends: readonly HookEnd[]): number {
  // hooks are configured and none ran: a script must not count that as a pass
  const noneRuns = hooks.length + broken.length > 0 && hooks.every(({ whyNot }) => whyNot !== null);
  return noneRuns || ends.some(({ outcome: { type } }) => type === 'failed' || type === 'cancelled') ? 1 : 0;
}

/** A recorded event names its transcript: judges and message matchers then see its messages. */
async function recall({ log }: HooksAlone, { event: { subject } }: EventPlan): Promise<void> {
  if (!existsSync(subject.transcriptPath)) return;
  const { messages } = await readTranscript(subject.transcriptPath);
  log.follow({ append: () => {} }, subject.agentId, messages);
}

/** With `json` only the result is printed. */
function showTest(writer: Writer, world: World, json: boolean) {
  const page = pageFor(writer, world);
  const print = json ? () => {} : writer.out;
  const line = statusLine(writer, () => world.clock.now());
  const running = new Set<ConfiguredHook>();
  const showRunning = () => {
    const [first] = running;
    if (first === undefined) return line.show('waiting for background hooks');
    const more = running.size === 1 ? '' : ` and ${running.size - 1} more`;
    line.show(oneLine(first.settings.statusMessage ?? first.label, writer.columns - 20 - more.length) + more);
  };
  return {
    planned: (plan: EventPlan, problems: readonly string[]) => {
      if (!json) for (const problem of problems) writer.err(`stopgate: ${problem}\n`);
      print(`${planText(plan, page)}\n\n`);
      for (const { hook, whyNot } of plan.hooks) if (whyNot === null) running.add(hook);
      if (running.size > 0) showRunning();
    },
    ended: (end: HookEnd, plan: EventPlan) => {
      running.delete(end.hook);
      line.clear();
      print(`${endText(end, plan.event, page)}\n\n`);
      showRunning();
    },
    result: (result: TestResult) => {
      line.stop();
      writer.out(`${json ? JSON.stringify(testJson(result)) : resultText(result, page)}\n`);
    },
  };
}

function testJson(result: TestResult) {
  const { event, input, hooks, ends, broken, verdict, later, late, problems } = result;
  return {
    event: event.name,
    example: input.isExample,
    filled: input.filled,
    stdin: event.json,
    hooks: ends.map((end) => {
      const { exitCode, durationMs, stdout, stderr } = end.outcome.printed;
      return {
        ...hookJson(end.hook),
        outcome: end.outcome.type,
        verdict: hookOutcome(end, event),
        status: describeStatus(end.outcome),
        exitCode: exitCode ?? null,
        durationMs: Math.round(durationMs),
        stdout,
        stderr,
        readAs: describeOutcome(end, event),
      };
    }),
    notRun: hooks.flatMap(({ hook, whyNot }) => (whyNot === null ? [] : [{ ...hookJson(hook), why: whyNot }])),
    broken: broken.map(brokenJson),
    background: { leftForTheModel: later, endedLate: late },
    verdict: { ...verdict, inWords: describeVerdict(verdict, event.row, ends) },
    problems,
  };
}
