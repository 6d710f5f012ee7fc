import type { ConfiguredHook } from '../../../../hooks/configuredHook.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../../system/interrupts.ts';
import { thisWorld, type World } from '../../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../../system/writer.ts';
import { pageFor } from '../../../output/page.ts';
import { statusLine } from '../../../output/statusLine.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { PromptFlags } from '../../../wiring/promptFlags.ts';
import { readInput } from '../readInput.ts';
import { requireEvent } from '../requireEvent.ts';
import { testJson } from './testJson.ts';
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
    () => writer.errIsTerminal && writer.err('\nInterrupted: ending the hooks. Press Ctrl-C again to quit at once.\n'),
  );
  const writer = processWriter(() => interrupts.abort());
  const show = options.json ? forScripts(writer, world) : forPeople(writer, world);
  const result = await tryHooks({ row, input, flags }, world, { signal: interrupts.signal, ...show });
  show.result(result);
  await drained();
  const received = interrupts.received();
  if (received) return SIGNAL_EXIT[received] ?? 1;
  // hooks are configured and none of them ran: a script must not take that for a pass
  if (result.hooks.length === 0 && result.notRun.length + result.broken.length > 0) return 1;
  return result.ends.some(({ outcome }) => outcome.type === 'failed' || outcome.type === 'cancelled') ? 1 : 0;
}

interface Show extends Omit<TestWatcher, 'signal'> {
  result(result: TestResult): void;
}

function forPeople(writer: Writer, world: World): Show {
  const page = pageFor(writer, world);
  const status = runningLine(writer, world);
  return {
    planned: (plan) => {
      for (const problem of plan.problems) writer.err(`stopgate: ${problem}\n`);
      writer.out(`${planText(plan, page)}\n\n`);
      status.start(plan.hooks);
    },
    ended: (end, plan) => {
      status.end(end.hook);
      writer.out(`${endText(end, plan, page)}\n\n`);
      status.show();
    },
    result: (result) => {
      status.stop();
      writer.out(`${resultText(result, page)}\n`);
    },
  };
}

function forScripts(writer: Writer, world: World): Show {
  const status = runningLine(writer, world);
  return {
    planned: ({ hooks }) => status.start(hooks),
    ended: ({ hook }) => {
      status.end(hook);
      status.show();
    },
    result: (result) => {
      status.stop();
      writer.out(`${JSON.stringify(testJson(result))}\n`);
    },
  };
}

/** At a terminal: the hooks that are still at it. */
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
