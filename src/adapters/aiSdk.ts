import '../requireNode.ts';
import { type Experimental_Steering, type Experimental_SteeringOutcome, experimental_createSteering } from 'ai';
import type { Gate, ToolCall } from '../gate/types.ts';
import { ownValue } from '../system/ownValue.ts';
import { type AdapterOptions, askVerdict, warnOnce } from './askVerdict.ts';

/** What of a step the gate reads. */
export interface GatedStep {
  readonly text: string;
  readonly finishReason: string;
  readonly toolCalls: readonly { readonly toolName: string; readonly input?: unknown }[];
  readonly usage: { readonly outputTokens?: number | undefined };
}

export interface UntilDoneOptions<Step extends GatedStep = GatedStep, Start = unknown> extends AdapterOptions {
  /** Your own; it is called after the definition of done is frozen. */
  readonly onStart?: (event: Start) => PromiseLike<void> | void;
  /** Your own; it is called before the gate. */
  readonly onStepEnd?: (step: Step) => PromiseLike<void> | void;
  /** Your own: it also ends running checks. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** Spread this into one call of `generateText`, `streamText` or `ToolLoopAgent`. */
export interface UntilDone {
  readonly onStart: (event: unknown) => Promise<void>;
  readonly experimental_steering: Experimental_Steering;
  readonly onStepEnd: (step: GatedStep) => Promise<void>;
  readonly abortSignal: AbortSignal;
}

/**
 * Keeps one generation of the AI SDK going until the gate lets it stop: `generateText({ …, stopWhen: isLoopFinished(),
 * ...untilDone(gate) })`. Call it for each generation. With `onFailure: 'throw'` of the gate, a failure aborts the call with
 * the error, because the SDK ignores what `onStepEnd` throws.
 */
export function untilDone<Step extends GatedStep = GatedStep, Start = unknown>(
  gate: Gate,
  options: UntilDoneOptions<Step, Start> = {},
): UntilDone {
  const steering = experimental_createSteering();
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.abortSignal ? [options.abortSignal] : [])]);
  const warn = warnOnce(options);
  const turn = newTurn();
  const sendBack = (text: string, id?: string) => {
    void steering.steer(text, id === undefined ? {} : { id }).then((outcome) => warnUndelivered(outcome, turn, warn));
  };
  const onFinalAnswer = async (step: GatedStep) => {
    try {
      const stop = {
        answer: step.text,
        usage: turn.usage(),
        toolCalls: turn.takeCalls(),
        endedBy: endedBy(step),
        signal,
      };
      const verdict = await askVerdict(gate, stop, options);
      if (verdict.type === 'goOn') sendBack(verdict.feedback, verdict.id);
    } catch (error) {
      // an abort is seen at the start of a step, so there has to be one
      void steering.steer('The gate failed.');
      failed.abort(error);
    }
  };
  return {
    experimental_steering: steering,
    abortSignal: signal,
    onStart: async (event) => {
      // a failure to begin is a verdict of the first stop
      await gate.begin().catch(() => {});
      await callOwn(options.onStart, event as Start);
    },
    onStepEnd: async (step) => {
      turn.add(step);
      await callOwn(options.onStepEnd, step as Step);
      const countdown = gate.countdown();
      if (step.toolCalls.length === 0) await onFinalAnswer(step);
      else if (countdown !== null) sendBack(countdown);
    },
  };
}

/** The SDK ignores what it throws, and so does the gate. */
async function callOwn<Event>(callback: ((event: Event) => unknown) | undefined, event: Event) {
  try {
    await callback?.(event);
  } catch {
    // it must not keep the gate from deciding
  }
}

/** What the SDK does not send back anyway, or what a filter or an error ended. */
const ENDED_BY: Readonly<Record<string, string | undefined>> = { error: 'error', 'content-filter': 'error' };

const endedBy = ({ finishReason }: GatedStep) => ownValue(ENDED_BY, finishReason);

/** Counts what the steps of one generation did. */
function newTurn() {
  let outputTokens = 0;
  let steps = 0;
  let calls: ToolCall[] = [];
  return {
    add: ({ usage, toolCalls }: GatedStep) => {
      steps++;
      outputTokens += usage.outputTokens ?? 0;
      calls.push(...toolCalls.map(({ toolName, input }) => ({ name: toolName, input })));
    },
    usage: () => ({ outputTokens }),
    steps: () => steps,
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
  };
}

const UNDELIVERED: Readonly<Record<string, ((steps: number) => string) | undefined>> = {
  'stop-condition': (steps) =>
    `stopgate: stopWhen ended the loop after ${steps === 1 ? '1 step' : `${steps} steps`}, although the gate had sent the agent back: nothing is proven. Set stopWhen to isLoopFinished(); the gate has limits of its own. The default of generateText and streamText is 1 step, that of ToolLoopAgent 20.`,
  'removed-by-prepare-step': () =>
    'stopgate: prepareStep returned messages without the message of the gate, so the agent does not know what failed. Keep experimental_steeringMessages.',
};

function warnUndelivered(
  outcome: Experimental_SteeringOutcome,
  { steps }: ReturnType<typeof newTurn>,
  warn: (warning: string) => void,
): void {
  const words = outcome.type === 'not-delivered' ? ownValue(UNDELIVERED, outcome.reason)?.(steps()) : undefined;
  if (words !== undefined) warn(words);
}
