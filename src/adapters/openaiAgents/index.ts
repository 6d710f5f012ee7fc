/** `stopgate/openai-agents`: the OpenAI Agents SDK has no place for a gate inside a run, so the loop is around it. */

import '../../requireNode.ts';
import type { Gate } from '../../gate/types.ts';
import type { AdapterOptions } from '../askVerdict.ts';
import { whenFrozen } from '../whenFrozen.ts';
import { nextCallOf } from './nextCall.ts';
import { streamUntilDone } from './streamUntilDone.ts';
import { type AgentsRunResult, type Call, isStreamed, type RunOptions, type StartRun, userItem } from './types.ts';

export type { AdapterOptions } from '../askVerdict.ts';
export type { AgentsRunResult } from './types.ts';

type PlainRun = (agent: object, input: unknown, options: RunOptions) => Promise<AgentsRunResult>;

/**
 * `run` that runs the agent again until the gate lets it stop, with the same types: `const run = runUntilDone(agents.run, gate)`.
 * Takes `run`, or a `Runner`. Sessions, conversations, streaming, the signal and all other options work as they do without it.
 */
export function runUntilDone<Run extends (...args: never[]) => Promise<AgentsRunResult>>(
  runner: Run | { readonly run: Run },
  gate: Gate,
  options: AdapterOptions = {},
): Run {
  // overloads with generics cannot be called through a type parameter
  const run = (typeof runner === 'function' ? runner : runner.run.bind(runner)) as unknown as PlainRun;
  const start: StartRun = async ({ agent, input, options }) => {
    await whenFrozen(gate);
    return run(agent, input, withCountdown(options, gate));
  };
  const gated: PlainRun = async (agent, input, runOptions = {}) => {
    const next = nextCallOf(gate, options);
    const first: Call = { agent, input, options: runOptions };
    let result = await start(first);
    if (isStreamed(result)) return streamUntilDone({ first: result, call: first, start, next });
    let call = await next(first, result);
    while (call) {
      result = await start(call);
      call = await next(call, result);
    }
    return result;
  };
  return gated as unknown as Run;
}

/** What is left is the last item of each request. */
function withCountdown(options: RunOptions, gate: Gate): RunOptions {
  if (gate.countdown() === null) return options;
  const { callModelInputFilter: before = ({ modelData }) => modelData } = options;
  return {
    ...options,
    callModelInputFilter: async (args) => {
      const data = await before(args);
      const line = gate.countdown();
      return line === null ? data : { ...data, input: [...data.input, userItem(line)] };
    },
  };
}
