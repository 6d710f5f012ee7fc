import { type HookEventName, type HookRequest, type HookRunner, type HookVerdict, NO_VERDICT } from '../hooks/types.ts';
import type { QueryEvent } from '../query/events.ts';
import { mainContext } from '../query/mainContext.ts';
import type { QueryConfig, QueryDeps, QueryParams } from '../query/params.ts';
import { query } from '../query/query.ts';
import type { Terminal } from '../query/terminal.ts';
import type { ToolUseContext } from '../query/toolUseContext.ts';
import { makeMessages } from '../session/makeMessages.ts';
import type { Message } from '../session/messages.ts';
import { systemClock } from '../system/clock.ts';
import { systemIds } from '../system/ids.ts';
import type { Tool } from '../tools/tool.ts';
import { toolServices } from '../tools/toolServices.ts';
import { type ReplyFunction, type ScriptedReplies, type ScriptedReply, scriptedReplies } from './scriptedReplies.ts';

export interface TurnOptions {
  readonly replies: readonly ScriptedReply[] | ReplyFunction | ScriptedReplies;
  readonly tools?: readonly Tool[];
  readonly prompt?: string;
  readonly history?: readonly Message[];
  readonly hooks?: HookRunner;
  readonly config?: Partial<QueryConfig>;
  readonly deps?: Partial<QueryDeps>;
  readonly context?: Partial<ToolUseContext>;
  readonly projectDir?: string;
  readonly signal?: AbortSignal;
  /** Called with each event. */
  readonly onEvent?: (event: QueryEvent) => void;
}

export interface TurnRun {
  readonly terminal: Terminal;
  readonly events: readonly QueryEvent[];
  /** What was written to the transcript, in order. */
  readonly transcript: readonly Message[];
  readonly model: ScriptedReplies;
}

/** Runs one whole turn with a scripted model and everything else real or in memory. */
export async function runTurn(options: TurnOptions): Promise<TurnRun> {
  const transcript: Message[] = [];
  const events: QueryEvent[] = [];
  const model = 'stream' in options.replies ? options.replies : scriptedReplies(options.replies);
  const running = query(turnParams(options, model, transcript));
  while (true) {
    const { done, value } = await running.next();
    if (done) return { terminal: value, events, transcript, model };
    events.push(value);
    options.onEvent?.(value);
  }
}

export function turnParams(options: TurnOptions, model: ScriptedReplies, transcript: Message[] = []): QueryParams {
  const make = makeMessages(options.deps?.clock ?? systemClock, options.deps?.ids ?? systemIds);
  const prompt = make.user([{ type: 'text', text: options.prompt ?? 'hello' }]);
  return {
    messages: [...(options.history ?? []), prompt],
    systemPrompt: ['You are a test.'],
    userContext: {},
    systemContext: {},
    toolUseContext: testToolUseContext(options, model),
    config: { maxRetries: 0, ...options.config },
    deps: {
      transcript: { append: (message) => void transcript.push(message) },
      ...(options.hooks ? { hooks: options.hooks } : {}),
      ...options.deps,
    },
  };
}

function testToolUseContext(options: TurnOptions, model: ScriptedReplies): ToolUseContext {
  const projectDir = options.projectDir ?? '/project';
  const context = mainContext({
    model,
    projectDir,
    tools: options.tools ?? [],
    mode: 'bypassPermissions',
    signal: options.signal ?? new AbortController().signal,
    services: toolServices({ projectDir, env: {}, clock: options.deps?.clock ?? systemClock }),
  });
  return { ...context, ...options.context };
}

/** Hooks written as functions: each answers its event with the parts of a verdict that matter. */
export type FakeHooks = {
  readonly [Event in HookEventName]?: (request: HookRequest) => Partial<HookVerdict> | Promise<Partial<HookVerdict>>;
};

export interface RecordedHooks extends HookRunner {
  readonly calls: HookRequest[];
}

export function fakeHooks(hooks: FakeHooks): RecordedHooks {
  const calls: HookRequest[] = [];
  return {
    calls,
    has: (event) => event in hooks,
    run: async function* (request) {
      calls.push(request);
      yield { type: 'progress', data: { event: request.event } };
      return { ...NO_VERDICT, ...(await hooks[request.event]?.(request)) };
    },
  };
}
