import type { LanguageModelV4, LanguageModelV4StreamPart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { systemClock, wallNow } from '../../system/clock.ts';
import { formatDuration } from '../../system/formatDuration.ts';
import { classifyModelError } from '../errors.ts';
import { redactSecrets } from '../redactSecrets.ts';
import type { ConversationMessage, Model, ModelEvent, ModelFailure, ModelRequest } from '../types.ts';
import { callOptionsMaker, type MakeCallOptions } from './callOptions.ts';
import { type ContextRole, convertMessage } from './convertMessages.ts';
import { errorFacts } from './errorFacts.ts';
import { type SilenceLimits, StreamGuard } from './streamGuard.ts';
import { ReplyInProgress } from './translateParts.ts';

const DEFAULT_STREAM_IDLE_MS = 5 * 60_000;

export interface AiSdkModelOptions {
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** Imports the provider's package and makes its model: called at the first request, once. */
  readonly load: () => Promise<LanguageModelV4>;
  readonly caching?: 'anthropic' | 'none';
  /** How the engine's context is sent; a marked user message by default. */
  readonly contextAs?: ContextRole;
  /** True where many servers accept only one system message. */
  readonly oneSystemMessage?: boolean;
  /** False for a provider that accepts only text as a tool result. */
  readonly imagesInResults?: boolean;
  /** False leaves the output limit to the provider unless a request names one. */
  readonly sendsMaxOutputTokens?: boolean;
  readonly providerOptions?: SharedV4ProviderOptions;
  readonly strictTools?: boolean;
  /** A stream that sends nothing for this long has failed. */
  readonly idleMs?: number;
  /** The limit until the reply begins; `idleMs` by default. */
  readonly firstMs?: number;
  /** The variable that holds the server's address, for the advice when it cannot be reached. */
  readonly urlVariable?: string;
  /** For the advice when the key is refused. */
  readonly keyVariable?: string;
  /** What the user should know about the model's server. */
  readonly notices?: { takeNotices(): readonly string[] };
  /** Where the key comes from; `keyVariable` when there is a secret. */
  readonly keySource?: string;
  /** Never shown, even when a provider quotes them. */
  readonly secrets?: readonly string[];
}

/** A model of an AI SDK provider, called at the provider level: one call, one stream, no loop, no retries. */
export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { id, contextWindow, maxOutputTokens } = options;
  let loaded: Promise<LanguageModelV4> | undefined;
  const convert = (message: ConversationMessage) => convertMessage(message, options);
  const settings = {
    maxOutputTokens: options.sendsMaxOutputTokens === false ? undefined : maxOutputTokens,
    caching: options.caching ?? ('none' as const),
    providerOptions: options.providerOptions,
    strictTools: options.strictTools,
  };
  const makeCallOptions = callOptionsMaker(settings, convert);
  const load = () => {
    loaded ??= options.load();
    return loaded;
  };
  const { keyVariable, secrets = [], keySource = secrets.length > 0 ? keyVariable : undefined } = options;
  return {
    ...(keySource ? { keySource } : {}),
    id,
    contextWindow,
    maxOutputTokens,
    stream: (request) => streamReply(request, { options, load, makeCallOptions }),
  };
}

interface Setup {
  readonly options: AiSdkModelOptions;
  readonly load: () => Promise<LanguageModelV4>;
  readonly makeCallOptions: MakeCallOptions;
}

async function* streamReply(request: ModelRequest, setup: Setup): AsyncGenerator<ModelEvent, void> {
  if (request.signal.aborted) return;
  const guard = new StreamGuard(request.signal, silenceLimits(setup.options));
  try {
    const reply = new ReplyInProgress();
    const reader = await openReply(request, setup, guard);
    while (!reply.error) {
      const { done, value } = await reader.read();
      if (done) break;
      receive(value, reply, guard);
      for (const event of reply.events) yield event;
      reply.events.length = 0;
    }
    report(request, setup.options);
    if (!guard.aborted) yield ending(reply, setup.options, guard);
  } catch (error) {
    if (!guard.aborted) yield { type: 'failed', failure: failureOf(error, setup.options, guard) };
  } finally {
    guard.close();
    report(request, setup.options);
  }
}

/** Notices wait for a request whose caller shows them. */
function report({ onNotice }: ModelRequest, { notices }: AiSdkModelOptions): void {
  if (onNotice) for (const notice of notices?.takeNotices() ?? []) onNotice(notice);
}

async function openReply(request: ModelRequest, { load, makeCallOptions, options }: Setup, guard: StreamGuard) {
  const model = await load();
  const call = makeCallOptions(options.oneSystemMessage ? withOneSystemMessage(request) : request, guard.signal);
  // once the stream is open the request has been sent, and the prompt is no longer read
  const { stream } = await Promise.resolve(model.doStream(call.options)).finally(call.giveBack);
  const reader = stream.getReader();
  guard.watch(reader);
  return reader;
}

function withOneSystemMessage(request: ModelRequest): ModelRequest {
  return request.system.length < 2 ? request : { ...request, system: [request.system.join('\n\n')] };
}

function receive(part: LanguageModelV4StreamPart, reply: ReplyInProgress, guard: StreamGuard): void {
  reply.take(part);
  if (part.type === 'finish') guard.drain();
  else if (!reply.finish) guard.touch();
}

/** The last event of a reply. */
function ending(reply: ReplyInProgress, options: AiSdkModelOptions, guard: StreamGuard): ModelEvent {
  if (reply.error) return { type: 'failed', failure: failureOf(reply.error.value, options, guard) };
  const { finish } = reply;
  if (!finish && guard.timedOut) return { type: 'failed', failure: silence(options, guard) };
  if (!finish || finish.reason.unified === 'interrupted')
    return brokenOff(finish, 'the connection closed before the reply was complete');
  if (finish.reason.unified === 'error')
    return brokenOff(finish, `the provider ended the reply with an error (${finish.reason.raw ?? 'no reason'})`);
  return { type: 'finish', stopReason: reply.stopReason(), usage: finish.usage };
}

function brokenOff(finish: ReplyInProgress['finish'], message: string): ModelEvent {
  const failure = cutOff(message);
  // an SDK without a count reports zero
  const isCounted =
    finish && finish.usage.inputTokens + finish.usage.cacheReadTokens + finish.usage.cacheWriteTokens > 0;
  return isCounted ? { type: 'failed', failure, usage: finish.usage } : { type: 'failed', failure };
}

function failureOf(error: unknown, options: AiSdkModelOptions, guard: StreamGuard): ModelFailure {
  if (guard.timedOut) return silence(options, guard);
  const facts = errorFacts(error, wallNow(systemClock));
  const { keyVariable, urlVariable, secrets = [] } = options;
  return classifyModelError({
    ...facts,
    message: redactSecrets(facts.message, secrets),
    ...(facts.details ? { details: redactSecrets(facts.details, secrets) } : {}),
    ...(keyVariable ? { keyVariable } : {}),
    ...(urlVariable ? { urlVariable } : {}),
  });
}

function silenceLimits({ idleMs = DEFAULT_STREAM_IDLE_MS, firstMs = idleMs }: AiSdkModelOptions): SilenceLimits {
  return { idleMs, firstMs };
}

function silence(options: AiSdkModelOptions, { hasBegun }: StreamGuard): ModelFailure {
  const { idleMs, firstMs } = silenceLimits(options);
  const [ms, variable] =
    hasBegun || options.firstMs === undefined ? [idleMs, 'STOPGATE_STREAM_IDLE_MS'] : [firstMs, 'API_TIMEOUT_MS'];
  return cutOff(`the model sent nothing for ${formatDuration(ms)} (${variable} sets this limit)`);
}

function cutOff(message: string): ModelFailure {
  return { errorClass: 'server_error', message, retryable: true };
}
