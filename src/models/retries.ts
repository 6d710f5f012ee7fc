import type { Clock } from '../system/clock.ts';
import { ReplyMeter } from './replyMeter.ts';
import type { Model, ModelEvent, ModelFailure, ModelRequest, Usage } from './types.ts';

const BASE_MS = 500;
const CAP_MS = 32_000;
/** A provider that asks for more has told us to come back another time. */
const LONGEST_RETRY_AFTER_MS = 10 * 60_000;
const DEFAULT_MAX_RETRIES = 10;

/** A request failed and will be made again after `delayMs`. */
export interface RetryEvent {
  readonly type: 'retry';
  /** 1 for the first retry. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly delayMs: number;
  readonly failure: ModelFailure;
  /** Part of the failed reply was already yielded and must be taken back: the next one starts from nothing. */
  readonly withdrawn: boolean;
}

export interface RetrySettings {
  readonly clock: Clock;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly maxRetries: number;
  /** Called for each reply that broke off, by a failure or an abort, with what it had cost by then. */
  readonly onBroken: (usage: Usage) => void;
  /** True when there is nothing left to try again with. */
  readonly isSpent?: () => boolean;
}

/** How long to wait before retry `attempt` (1 is the first): what the provider asks for, else doubling with jitter. */
export function retryDelayMs({
  attempt,
  retryAfterMs,
  random,
}: {
  readonly attempt: number;
  readonly retryAfterMs: number | undefined;
  readonly random: number;
}): number {
  if (retryAfterMs !== undefined) return Math.ceil(retryAfterMs);
  const doubled = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  // Up to a quarter less, so that many agents that failed together do not come back together.
  return Math.round(doubled * (1 - random / 4));
}

export type RetryDecision =
  | { readonly type: 'retry'; readonly delayMs: number }
  | { readonly type: 'give-up'; readonly failure: ModelFailure };

/** Whether a failed request is made again; `attempt` is the retry that would be made. */
export function decideRetry(facts: {
  readonly failure: ModelFailure;
  readonly attempt: number;
  readonly maxRetries: number;
  readonly random: number;
}): RetryDecision {
  const { failure, attempt, maxRetries, random } = facts;
  if (!failure.retryable) return { type: 'give-up', failure };
  const { retryAfterMs } = failure;
  if (retryAfterMs !== undefined && retryAfterMs > LONGEST_RETRY_AFTER_MS) {
    const asked = Math.ceil(retryAfterMs / 60_000);
    const limit = LONGEST_RETRY_AFTER_MS / 60_000;
    const message = `${failure.message}; not retried, because the provider asks to wait ${asked} minutes and the longest wait is ${limit}`;
    return { type: 'give-up', failure: { ...failure, message } };
  }
  if (attempt > maxRetries) {
    const after = maxRetries === 0 ? '' : `; gave up after ${maxRetries} ${maxRetries === 1 ? 'retry' : 'retries'}`;
    return { type: 'give-up', failure: { ...failure, message: `${failure.message}${after}` } };
  }
  return { type: 'retry', delayMs: retryDelayMs({ attempt, retryAfterMs, random }) };
}

/**
 * One reply, asked for again while it fails in ways that pass. The model's events go through untouched; each retry is
 * an event of its own. An abort, also during a wait, ends it with no final event.
 */
export async function* streamWithRetries(
  model: Model,
  request: ModelRequest,
  { clock, random, maxRetries, onBroken, isSpent = () => false }: RetrySettings,
): AsyncGenerator<ModelEvent | RetryEvent, void> {
  for (let attempt = 1; ; attempt++) {
    let withdrawn = false;
    let isWhole = false;
    let failure: ModelFailure | undefined;
    const meter = new ReplyMeter();
    for await (const event of model.stream(request)) {
      meter.see(event);
      if (event.type === 'failed') {
        failure = event.failure;
        break;
      }
      if (event.type !== 'start') withdrawn = true;
      if (event.type === 'finish') isWhole = true;
      yield event;
    }
    const broken = isWhole ? undefined : meter.brokenOff(request);
    if (broken) onBroken(broken);
    if (!failure || request.signal.aborted) return;
    const triesLeft = isSpent() ? 0 : maxRetries;
    const decision = decideRetry({ failure, attempt, maxRetries: triesLeft, random: random() });
    if (decision.type === 'give-up') {
      yield { type: 'failed', failure: decision.failure };
      return;
    }
    const { delayMs } = decision;
    yield { type: 'retry', attempt, maxRetries, delayMs, failure, withdrawn };
    await clock.sleep(delayMs, request.signal);
    if (request.signal.aborted) return;
  }
}

const VARIABLES = ['STOPGATE_MAX_RETRIES', 'CLAUDE_CODE_MAX_RETRIES'] as const;

/** The configured number of retries; a value that is no number is said in `warning` and passed over. */
export function maxRetries(env: Readonly<Record<string, string | undefined>>): {
  readonly maxRetries: number;
  readonly warning?: string;
} {
  const name = VARIABLES.find((variable) => (env[variable] ?? '') !== '');
  if (!name) return { maxRetries: DEFAULT_MAX_RETRIES };
  const raw = env[name] ?? '';
  if (/^\d{1,4}$/.test(raw.trim())) return { maxRetries: Number(raw) };
  const warning = `${name} is '${raw}', which is not a whole number from 0 to 9999; using ${DEFAULT_MAX_RETRIES}`;
  return { maxRetries: DEFAULT_MAX_RETRIES, warning };
}
