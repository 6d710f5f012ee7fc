import '../requireNode.ts';
import type { Gate, ToolCall } from '../gate/types.ts';
import { type AdapterOptions, askVerdict, warnOnce } from './askVerdict.ts';
import { whenFrozen } from './whenFrozen.ts';

/** Mastra's limit when neither `maxSteps` nor `stopWhen` is set. */
const DEFAULT_STEPS = 5;
/** Not the agent's own endings: a model that failed, a processor that stopped the run. */
const ENDED_BY_OTHERS = new Set(['error', 'tripwire', 'content-filter']);

/** What is read of the argument of Mastra's `onIterationComplete`. */
export interface MastraIteration {
  readonly iteration: number;
  readonly maxIterations?: number | undefined;
  readonly text: string;
  readonly toolCalls: readonly { readonly name: string; readonly args: unknown }[];
  readonly isFinal: boolean;
  readonly finishReason: string;
}

/** What is used of the argument of Mastra's `prepareStep`. */
export interface MastraStep {
  readonly stepNumber: number;
  readonly steps: readonly { readonly usage?: { readonly outputTokens?: number | undefined } | undefined }[];
  readonly abortSignal?: AbortSignal | undefined;
  readonly messageList: { add(message: { role: 'user'; content: string }, source: 'input'): unknown };
  rotateResponseMessageId?: (() => string) | undefined;
}

/** Options of one `generate` or `stream`. */
export interface MastraOptions {
  onIterationComplete(iteration: MastraIteration): Promise<{ continue: true } | undefined>;
  prepareStep(step: MastraStep): Promise<undefined>;
}

/** What a run of the agent has left for its next step. */
interface Run {
  feedback?: string;
  failure?: { readonly error: unknown };
  signal?: AbortSignal | undefined;
  outputTokens: number;
  toolCalls: ToolCall[];
}

/**
 * Keeps a Mastra agent going until the gate lets it stop: `agent.stream(prompt, { maxSteps: 100, ...untilDone(gate) })`.
 * `onIterationComplete` continues a final answer but drops its feedback, so the feedback is added as a message of the user
 * in the `prepareStep` that follows. Mastra does not name the run there, so each run needs an `untilDone` of its own.
 */
export function untilDone(gate: Gate, options: AdapterOptions = {}): MastraOptions {
  const warn = warnOnce(options);
  const run: Run = { outputTokens: 0, toolCalls: [] };
  return {
    prepareStep: async (step) => {
      await whenFrozen(gate);
      run.signal = step.abortSignal;
      run.outputTokens = step.steps.reduce((sum, { usage }) => sum + (usage?.outputTokens ?? 0), 0);
      say(step, wordsFor(run, step.stepNumber > 0 ? gate.countdown() : null));
    },
    onIterationComplete: async (iteration) => {
      run.toolCalls.push(...iteration.toolCalls.map(({ name, args }) => ({ name, input: args })));
      if (!iteration.isFinal) return undefined;
      if (iteration.finishReason === 'tool-calls') return void warn(openCallsWarning(iteration));
      const goesOn = await sendBack(gate, { iteration, run, options });
      if (goesOn && isLast(iteration)) warn(lastStepWarning(iteration));
      return goesOn ? { continue: true } : undefined;
    },
  };
}

interface Asking {
  readonly iteration: MastraIteration;
  readonly run: Run;
  readonly options: AdapterOptions;
}

/** Mastra logs what this callback throws and lets the agent stop, so a failure waits for the next step, which may throw. */
async function sendBack(gate: Gate, { iteration, run, options }: Asking): Promise<boolean> {
  const { toolCalls, outputTokens, signal } = run;
  const endedBy = ENDED_BY_OTHERS.has(iteration.finishReason) ? 'error' : undefined;
  const stop = { answer: iteration.text, toolCalls, usage: { outputTokens }, signal, endedBy };
  run.toolCalls = [];
  try {
    const verdict = await askVerdict(gate, stop, options);
    if (verdict.type === 'goOn') run.feedback = verdict.feedback;
    return verdict.type === 'goOn';
  } catch (error) {
    run.failure = { error };
    return true;
  }
}

function wordsFor(run: Run, countdown: string | null): string[] {
  if (run.failure) throw run.failure.error;
  const words = [run.feedback, countdown].filter((text) => typeof text === 'string');
  delete run.feedback;
  return words;
}

/** A new message of the agent begins after it: otherwise Mastra sorts its next answer before the message of the user. */
function say(step: MastraStep, words: readonly string[]): undefined {
  if (words.length === 0) return undefined;
  step.rotateResponseMessageId?.();
  step.messageList.add({ role: 'user', content: words.join('\n\n') }, 'input');
  return undefined;
}

const isLast = ({ iteration, maxIterations }: MastraIteration) =>
  maxIterations !== undefined && iteration >= maxIterations;

function lastStepWarning({ maxIterations }: MastraIteration): string {
  return `stopgate: the gate sent the agent back, but maxSteps (${maxIterations}) of Mastra ended the run: nothing is proven. Pass a higher maxSteps.`;
}

function openCallsWarning({ iteration, maxIterations }: MastraIteration): string {
  const limit = maxIterations ?? DEFAULT_STEPS;
  const isAtLimit = iteration >= limit;
  const when = isAtLimit ? `at its limit of ${limit} steps` : 'after a tool call without a result, or by stopWhen';
  const advice = isAtLimit ? ' Pass a higher maxSteps.' : '';
  return `stopgate: Mastra ended the run ${when}, so the gate was not asked: nothing is proven.${advice}`;
}
