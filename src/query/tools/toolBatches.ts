import type { ToolUseBlock } from '../../models/types.ts';
import { parseToolInput } from '../../tools/parseInput.ts';
import type { Tool } from '../../tools/tool.ts';
import type { QueryConfig } from '../params.ts';
import { toolUseError } from './toolUseError.ts';

/** A call that can be run, or why it cannot; the model reads the reason and may fix its call. */
export type PreparedCall =
  | {
      readonly type: 'ready';
      readonly call: ToolUseBlock;
      readonly tool: Tool;
      readonly input: unknown;
      readonly parallel: boolean;
    }
  | { readonly type: 'refused'; readonly call: ToolUseBlock; readonly reason: string; readonly parallel: true };

export function prepareCall(call: ToolUseBlock, tools: readonly Tool[]): PreparedCall {
  const refuse = (reason: string): PreparedCall => ({ type: 'refused', call, reason, parallel: true });
  const tool = tools.find((candidate) => candidate.name === call.name);
  if (!tool) return refuse(toolUseError(`Error: No such tool available: ${call.name}`));
  if (call.inputError) return refuse(call.inputError);
  const parsed = parseToolInput(tool, call.input);
  if (parsed.type === 'invalid') return refuse(toolUseError(parsed.message));
  const parallel = tool.runsBesideOthers === true || tool.isReadOnly(parsed.input);
  return { type: 'ready', call, tool, input: parsed.input, parallel };
}

/** How many read-only calls run side by side: enough to hide latency, few enough not to exhaust file handles. */
const MAX_PARALLEL_CALLS = 10;

/**
 * Splits a round of calls into batches that run one after the other. Neighboring calls that may run side by side share a
 * batch; any other call is alone in its batch, so that what it changes is seen by those after it.
 */
export function toolBatches(calls: readonly PreparedCall[]): PreparedCall[][] {
  const batches: PreparedCall[][] = [];
  for (const call of calls) {
    const last = batches.at(-1);
    if (last && call.parallel && last[0]?.parallel) last.push(call);
    else batches.push([call]);
  }
  return batches;
}

/** Which calls of a batch may start: subagents and other calls are counted separately. */
export function batchOrder(
  batch: readonly PreparedCall[],
  limits: Pick<QueryConfig, 'maxConcurrentSubagents' | 'maxBudgetUsd'>,
): MayStart {
  // a limit in dollars can only hold when one subagent at a time spends
  const subagents = limits.maxBudgetUsd === undefined ? limits.maxConcurrentSubagents : 1;
  const isSubagent = (index: number) => batch[index]?.call.name === 'Agent';
  return (index, running) => {
    const same = [...running].filter((other) => isSubagent(other) === isSubagent(index)).length;
    return same < (isSubagent(index) ? subagents : MAX_PARALLEL_CALLS);
  };
}

/** Whether a generator may start beside those that run, all named by their index. */
type MayStart = (index: number, running: ReadonlySet<number>) => boolean;

/**
 * Runs generators in parallel, yields what each yields as it arrives, and returns their results in the order given. Those
 * that may not start yet wait for others to end. When the consumer stops early, all of them are stopped.
 */
export async function* sideBySide<Event, Result>(
  generators: readonly AsyncGenerator<Event, Result>[],
  mayStart: MayStart = () => true,
): AsyncGenerator<Event, Result[]> {
  type Arrival = { readonly index: number; readonly result: IteratorResult<Event, Result> };
  const advance = (index: number): Promise<Arrival> =>
    (generators[index] as AsyncGenerator<Event, Result>).next().then((result) => ({ index, result }));
  const running = new Map<number, Promise<Arrival>>();
  const waiting = new Set(generators.keys());
  const start = () => {
    const now = new Set(running.keys());
    for (const index of waiting) {
      // with nothing running the first one starts, whatever the limit: a round must end
      if (now.size > 0 && !mayStart(index, now)) continue;
      waiting.delete(index);
      now.add(index);
      running.set(index, advance(index));
    }
  };
  const results: Result[] = [];
  try {
    start();
    while (running.size > 0) {
      const { index, result } = await Promise.race(running.values());
      if (result.done) {
        results[index] = result.value;
        running.delete(index);
        start();
      } else {
        running.set(index, advance(index));
        yield result.value;
      }
    }
    return results;
  } finally {
    for (const index of running.keys()) void generators[index]?.return(undefined as Result);
  }
}
