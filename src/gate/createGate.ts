import { readBudgetEnd } from '../budget/budgetEnd.ts';
import { budgetMessage } from '../budget/timeBudget.ts';
import { hookClock, hookNow } from '../stop/clock.ts';
import { errorEnding, skippedEnding } from '../stop/ending.ts';
import { attempt } from '../system/attempt.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { systemIds } from '../system/ids.ts';
import { type GateSession, gateSession } from './gateSession.ts';
import type { TokenBudget } from './nudged.ts';
import type { CallAnswer, Gate, GateOptions, StopRequest, ToolCall, Verdict } from './types.ts';
import { type Answered, NO_EVIDENCE, type Numbering, stopVerdict, verdictOf } from './verdict.ts';
import { requireStop } from './wrongInput.ts';

/**
 * A definition of done for a loop of your own: the decision of `stopgate hook stop`, in process. The definition is frozen from
 * here on; what the agent makes of it later does not decide. Throws one sentence for an option that is wrong. `clock` is for the
 * tests.
 */
export function createGate(options: GateOptions, { clock = systemClock }: { readonly clock?: Clock } = {}): Gate {
  return new LoopGate(options, gateSession(options, clock));
}

class LoopGate implements Gate {
  readonly sessionId: string;
  readonly cwd: string;
  readonly #options: GateOptions;
  readonly #session: GateSession;
  readonly #begun: Promise<readonly string[]>;
  /** Stops are answered one after the other. */
  #queue: Promise<unknown> = Promise.resolve();
  #verdict: Verdict | null = null;
  #attempts = 0;
  #withoutVerdict = 0;
  #calls: readonly ToolCall[] = [];
  #outputTokens = 0;
  #tokenBudget: TokenBudget | undefined;

  constructor(options: GateOptions, session: GateSession) {
    this.#options = options;
    this.#session = session;
    this.sessionId = session.sessionId;
    this.cwd = session.cwd;
    this.#begun = this.#begin();
    // reported by what awaits it
    this.#begun.catch(() => {});
  }

  async #begin(): Promise<readonly string[]> {
    const { beginGate } = await import('./askGate.ts');
    return this.#noted(await beginGate(this.#session));
  }

  begin(): Promise<readonly string[]> {
    return this.#begun;
  }

  mayStop(stop: StopRequest = {}): Promise<Verdict> {
    const asked = this.#queue.then(async () => {
      requireStop(stop);
      this.#verdict = await this.#ask(stop);
      return this.#verdict;
    });
    this.#queue = asked.catch(() => {});
    return asked;
  }

  get verdict(): Verdict | null {
    return this.#verdict;
  }

  async #ask(stop: StopRequest): Promise<Verdict> {
    this.#calls = [...this.#calls, ...(stop.toolCalls ?? [])].slice(-MOST_CALLS);
    this.#outputTokens = stop.usage?.outputTokens ?? this.#outputTokens;
    // the agent must not work on while it is unknown what it began with, but its loop may end
    if (!(await settledBefore(this.#begun, stop.signal))) return this.#interrupted();
    let answered: Answered;
    try {
      answered = await this.#answer(stop);
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('createGate')) throw error;
      return this.noVerdict(error);
    }
    const { answer, ending } = answered;
    const { onFailure = 'goOn' } = this.#options;
    if (ending?.type === 'error' && onFailure !== 'goOn') return this.noVerdict(new Error(ending.reason));
    if (answer.type === 'block') this.#attempts++;
    const verdict = verdictOf(answered, { attempt: this.#attempts, id: newId() });
    this.#withoutVerdict = 0;
    this.#noted(verdict.notes);
    return verdict;
  }

  async #answer(stop: StopRequest): Promise<Answered> {
    await this.#begun;
    const { askGate } = await import('./askGate.ts');
    const state = { attempts: this.#attempts, calls: this.#calls, tokensOver: (this.tokensLeft() ?? 1) <= 0 };
    const answered = await askGate(this.#session, stop, state);
    const { tokenBudget } = this.#options;
    if (tokenBudget === undefined) return answered;
    const { nudged, newTokenBudget } = await import('./nudged.ts');
    this.#tokenBudget ??= newTokenBudget(tokenBudget, this.#session.world.clock);
    return nudged(answered, this.#tokenBudget, { outputTokens: this.#outputTokens, session: this.#session });
  }

  noVerdict(error: unknown): Verdict {
    const { onFailure = 'goOn' } = this.#options;
    this.#withoutVerdict++;
    const numbers = { times: this.#withoutVerdict, attempt: this.#attempts + 1, id: newId() };
    const verdict = verdictWithout(error, { onFailure, ...numbers });
    if (verdict.type === 'goOn') this.#attempts++;
    this.#verdict = verdict;
    this.#noted(verdict.notes);
    return verdict;
  }

  #interrupted(): Verdict {
    return stopVerdict(skippedEnding('checksInterrupted'), NO_EVIDENCE, []);
  }

  /** A program that fails to show a note still gets its verdict, which has the note. */
  #noted(notes: readonly string[]): readonly string[] {
    for (const note of notes) attempt(() => this.#options.onNote?.(note), undefined);
    return notes;
  }

  timeLeft(): number | null {
    const { env, clock } = this.#session.world;
    const end = readBudgetEnd(env);
    return end === null ? null : end * 1000 - hookNow(env, clock);
  }

  tokensLeft(): number | null {
    const { maxTokens } = this.#options;
    return maxTokens === undefined ? null : maxTokens - this.#outputTokens;
  }

  countdown(): string | null {
    const time = this.#clock();
    return time && budgetMessage(time.remainingSeconds, time);
  }

  async mayRun({ name, input }: ToolCall): Promise<CallAnswer> {
    if (this.#clock() === null) return { type: 'pass' };
    const { decideLanding } = await import('../stop/landing/decideLanding.ts');
    const time = this.#clock();
    const known = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
    return time === null ? { type: 'pass' } : decideLanding({ tool: name, input: known }, time);
  }

  #clock() {
    const { env, clock } = this.#session.world;
    return hookClock(env, hookNow(env, clock));
  }
}

/** For the record, which has a summary. */
const MOST_CALLS = 1_000;

const newId = () => `stopgate-${systemIds.uuid()}`;

/** False when the signal aborts first. */
async function settledBefore(begun: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal === undefined) return true;
  if (signal.aborted) return false;
  let onAbort = () => {};
  const aborted = new Promise<false>((resolve) => {
    onAbort = () => resolve(false);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  const settled = begun.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Stops in a row that are sent back without a verdict, as at a hook: an agent cannot fix what it cannot see. */
const MOST_WITHOUT_VERDICT = 3;

interface WithoutVerdict extends Numbering {
  readonly onFailure: NonNullable<GateOptions['onFailure']>;
  /** How often in a row, with this time. */
  readonly times: number;
}

/** The verdict on a stop whose gate failed: nothing is proven, so by default the agent has to stop again. */
function verdictWithout(error: unknown, { onFailure, times, attempt, id }: WithoutVerdict): Verdict {
  if (onFailure === 'throw') throw error;
  const { message } = error instanceof Error ? error : new Error(String(error));
  const why = message.replace(/\.$/, '');
  if (onFailure === 'stop' || times > MOST_WITHOUT_VERDICT) {
    const counted = times > 1 ? ` ${times} times in a row` : '';
    const note = `Stopgate: the gate gave no verdict${counted} (${why}), so the agent may stop; nothing is proven.`;
    return stopVerdict(errorEnding(message), NO_EVIDENCE, [note]);
  }
  const feedback = `Not proven yet: the gate gave no verdict (${why}). Stop again, and it is asked again; if this happens again, report it and stop.`;
  const note = `Stopgate: the gate gave no verdict (${why}); the agent was sent back.`;
  return { type: 'goOn', feedback, attempt, id, evidence: NO_EVIDENCE, notes: [note] };
}
