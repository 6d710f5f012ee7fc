import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import {
  type AgentsEvent,
  type AgentsRunResult,
  type Call,
  isStreamed,
  type NextCall,
  type StartRun,
  type StreamedAgentsRun,
} from './types.ts';

interface Runs {
  readonly first: StreamedAgentsRun;
  readonly call: Call;
  readonly start: StartRun;
  readonly next: NextCall;
}

/**
 * One streamed result for all runs: its events are those of every run, it is completed when the gate lets the agent stop, and
 * everything else about it is the latest run's.
 */
export function streamUntilDone(runs: Runs): StreamedAgentsRun {
  const state = { current: runs.first, isCancelled: false };
  let completed: Promise<void> = Promise.resolve();
  const events = new ReadableStream<AgentsEvent>({
    start: (controller) => {
      completed = pump(runs, state, (event) => controller.enqueue(event)).then(
        () => (state.isCancelled ? undefined : controller.close()),
        (error: unknown) => {
          controller.error(error);
          throw error;
        },
      );
      // the reader of the events gets it, and a caller that awaits `completed`
      completed.catch(() => {});
    },
    cancel: () => {
      state.isCancelled = true;
    },
  });
  return asOneResult(state, events, completed);
}

interface State {
  current: StreamedAgentsRun;
  isCancelled: boolean;
}

async function pump({ call, start, next }: Runs, state: State, emit: (event: AgentsEvent) => void): Promise<void> {
  let latest: Call | undefined = call;
  while (latest) {
    for await (const event of state.current) {
      if (state.isCancelled) return;
      emit(event);
    }
    await state.current.completed;
    latest = await next(latest, state.current);
    if (latest && !state.isCancelled) state.current = streamed(await start(latest));
  }
}

function streamed(result: AgentsRunResult): StreamedAgentsRun {
  if (!isStreamed(result))
    throw new TypeError('runUntilDone: a run with `stream: true` returned a result without events.');
  return result;
}

/** A proxy, because results have private fields: only their own class can read them. */
function asOneResult(state: State, events: ReadableStream<AgentsEvent>, completed: Promise<void>): StreamedAgentsRun {
  const own: Readonly<Record<PropertyKey, unknown>> = {
    completed,
    toStream: () => events,
    toTextStream: (options?: { compatibleWithNodeStreams?: boolean }) => textStream(events, options),
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
  return new Proxy(state.current, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return own[name];
      const value: unknown = Reflect.get(state.current, name, state.current);
      return typeof value === 'function' && name !== 'constructor' ? value.bind(state.current) : value;
    },
  });
}

function textStream(events: ReadableStream<AgentsEvent>, options: { compatibleWithNodeStreams?: boolean } = {}) {
  const text = ReadableStream.from(deltas(events));
  return options.compatibleWithNodeStreams ? Readable.fromWeb(text) : text;
}

async function* deltas(events: ReadableStream<AgentsEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'raw_model_stream_event' || typeof data !== 'object' || data === null) continue;
    if ('type' in data && data.type === 'output_text_delta' && 'delta' in data) yield String(data.delta);
  }
}
