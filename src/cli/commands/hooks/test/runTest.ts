import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../../system/interrupts.ts';
import { thisWorld, type World } from '../../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { statusLine } from '../../../output/statusLine.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { readInput, requireEvent } from '../eventInput.ts';
import { brokenJson, hookJson } from '../hookLines.ts';
import { describeOutcome, describeStatus } from './describeOutcome.ts';
import { describeVerdict } from './describeVerdict.ts';
import { endText, planText, resultText } from './testText.ts';
import { type TestResult, type TestWatcher, tryHooks } from './tryHooks.ts';

export interface TestOptions {
  readonly input?: string;
  readonly json?: boolean;
}

/** `stopgate hooks test`: the hooks of one event, run now. */
export async function runTest(name: string, options: TestOptions, flags: PromptFlags): Promise<number> {
  const row = requireEvent(name);
  const world = thisWorld();
  const input = await readInput(row.name, options.input, world.cwd);
  using interrupts = listenForInterrupts(
    (signal) => {
      world.processes.killAll();
      process.exit(SIGNAL_EXIT[signal]);
    },
    () =>
      writer.errIsTerminal && writer.err('\nInterrupted: ending the hooks. Press Ctrl-C again to quit immediately.\n'),
  );
  const writer = processWriter(() => interrupts.abort());
  const show = showTest(writer, world, options.json === true);
  const result = await tryHooks({ row, input, flags }, world, { signal: interrupts.signal, ...show });
  show.result(result);
  await drained();
  const received = interrupts.received();
  if (received) return SIGNAL_EXIT[received] ?? 1;
  // hooks are configured and none ran: a script must not count that as a pass
  if (result.hooks.length === 0 && result.notRun.length + result.broken.length > 0) return 1;
  return result.ends.some(({ outcome }) => outcome.type === 'failed' || outcome.type === 'cancelled') ? 1 : 0;
}

interface Show extends Omit<TestWatcher, 'signal'> {
  result(result: TestResult): void;
}

/** With `json` only the result is printed. */
function showTest(writer: Writer, world: World, json: boolean): Show {
  const page = pageFor(writer, world);
  const status = runningLine(writer, world);
  return {
    planned: (plan) => {
      if (!json) {
        for (const problem of plan.problems) writer.err(`stopgate: ${problem}\n`);
        writer.out(`${planText(plan, page)}\n\n`);
      }
      status.start(plan.hooks);
    },
    ended: (end, plan) => {
      status.end(end.hook);
      if (!json) writer.out(`${endText(end, plan, page)}\n\n`);
      status.show();
    },
    result: (result) => {
      status.stop();
      writer.out(`${json ? JSON.stringify(testJson(result)) : resultText(result, page)}\n`);
    },
  };
}

/** At a terminal: the hooks that are still running. */
function runningLine(writer: Writer, world: World) {
  const line = statusLine(writer, () => world.clock.now());
  const running = new Set<ConfiguredHook>();
  const show = () => {
    const [first] = running;
    if (first === undefined) return line.show('waiting for background hooks');
    const more = running.size === 1 ? '' : ` and ${running.size - 1} more`;
    line.show(oneLine(first.settings.statusMessage ?? first.label, writer.columns - 20 - more.length) + more);
  };
  return {
    start: (hooks: readonly ConfiguredHook[]) => {
      for (const hook of hooks) running.add(hook);
      if (running.size > 0) show();
    },
    end: (hook: ConfiguredHook) => {
      running.delete(hook);
      line.clear();
    },
    show,
    stop: () => line.stop(),
  };
}

function testJson(result: TestResult) {
  const { event, input, ends, notRun, broken, verdict, later, late, problems } = result;
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
        status: describeStatus(end.outcome),
        exitCode: exitCode ?? null,
        durationMs: Math.round(durationMs),
        stdout,
        stderr,
        readAs: describeOutcome(end, event),
      };
    }),
    notRun: notRun.map(({ hook, why }) => ({ ...hookJson(hook), why })),
    broken: broken.map(brokenJson),
    background: { leftForTheModel: later, endedLate: late },
    verdict: { ...verdict, inWords: describeVerdict(verdict, event.row, ends) },
    problems,
  };
}
