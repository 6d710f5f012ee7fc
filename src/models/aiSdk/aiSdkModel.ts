import type { LanguageModelV4 } from '@ai-sdk/provider';
import { systemClock, wallNow } from '../../system/clock.ts';
import { redactSecrets } from '../../system/redactSecrets.ts';
import { classifyModelError } from '../errors.ts';
import type { Model, ModelEvent, ModelFailure, ModelRequest } from '../types.ts';
import { type CallSettings, callOptionsMaker, type MakeCallOptions } from './callOptions.ts';
import { type Conversion, convertMessage } from './convertMessages.ts';
import { errorFacts } from './errorFacts.ts';
import { type SilenceLimits, StreamGuard } from './streamGuard.ts';
import { ReplyInProgress } from './translateParts.ts';

type ModelFacts = Pick<Model, 'id' | 'contextWindow' | 'maxOutputTokens' | 'keySource'>;

/** `keySource` is `keyVariable` by default when there is a secret. */
export interface AiSdkModelOptions
  extends ModelFacts,
    Conversion,
    SilenceLimits,
    Omit<CallSettings, 'maxOutputTokens'> {
  /** Imports the provider's package and makes its model: called at the first request, once. */
  readonly load: () => Promise<LanguageModelV4>;
  /** True where many servers accept only one system message. */
  readonly oneSystemMessage?: boolean;
  /** False leaves the output limit to the provider unless a request names one. */
  readonly sendsMaxOutputTokens?: boolean;
  /** The variable that holds the server's address, for the advice when it cannot be reached. */
  readonly urlVariable?: string | undefined;
  /** For the advice when the key is refused. */
  readonly keyVariable?: string;
  /** What the user should know about the model's server. */
  readonly notices?: { takeNotices(): readonly string[] };
  /** Never shown, even when a provider quotes them. */
  readonly secrets?: readonly string[];
}

/** A model of an AI SDK provider, called at the provider level: one call, one stream, no loop, no retries. */
export function aiSdkModel(options: AiSdkModelOptions): Model {
  const { id, contextWindow, maxOutputTokens } = options;
  let loaded: Promise<LanguageModelV4> | undefined;
  const makeCallOptions = callOptionsMaker(
    { ...options, maxOutputTokens: options.sendsMaxOutputTokens === false ? undefined : maxOutputTokens },
    (message) => convertMessage(message, options),
  );
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
  const guard = new StreamGuard(request.signal, setup.options);
  try {
    const reply = new ReplyInProgress();
    const reader = await openReply(request, setup, guard);
    while (!reply.error) {
      const { done, value } = await reader.read();
      if (done) break;
      reply.take(value);
      if (value.type === 'finish') guard.drain();
      else if (!reply.finish) guard.touch();
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
  const system = options.oneSystemMessage && request.system.length > 1 ? [request.system.join('\n\n')] : request.system;
  const call = makeCallOptions({ ...request, system }, guard.signal);
  // once the stream is open the request has been sent, and the prompt is no longer read
  const { stream } = await Promise.resolve(model.doStream(call.options)).finally(call.giveBack);
  const reader = stream.getReader();
  guard.watch(reader);
  return reader;
}

/** The last event of a reply. */
function ending(reply: ReplyInProgress, options: AiSdkModelOptions, guard: StreamGuard): ModelEvent {
  if (reply.error) return { type: 'failed', failure: failureOf(reply.error.value, options, guard) };
  const { finish } = reply;
  if (!finish && guard.timedOut) return { type: 'failed', failure: cutOff(guard.silence) };
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
  if (guard.timedOut) return cutOff(guard.silence);
  const facts = errorFacts(error, wallNow(systemClock));
  const { keyVariable, urlVariable, secrets = [] } = options;
  const message = redactSecrets(facts.message, secrets);
  const details = redactSecrets(facts.details ?? '', secrets);
  return classifyModelError({ ...facts, message, details, keyVariable, urlVariable });
}

function cutOff(message: string): ModelFailure {
  return { errorClass: 'server_error', message, retryable: true };
}
