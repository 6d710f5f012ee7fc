import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { LineSplitter } from '../../git/lineSplitter.ts';
import type { CostOf } from '../../models/prices.ts';
import { isObject, type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import { attempt } from '../../system/attempt.ts';
import type { Spend, SpendReader, SpendReaderOf } from '../host.ts';
import { objectIn } from '../streams/eventLines.ts';
import { followFile } from '../streams/followFile.ts';
import { countOf } from '../streams/streamSpend.ts';
import { codexThread } from './output.ts';

export interface CodexRun {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** It goes on with a session, whose totals include what was spent before. */
  readonly isContinued: boolean;
}

interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

const NONE: Tokens = { input: 0, cached: 0, output: 0 };

/**
 * Its stream has the tokens only at the end of a turn, and a stop that is refused does not end one. So they are read from its
 * own record of the session while it runs, which has the totals after each request.
 */
export const codexSpend =
  (run: CodexRun): SpendReaderOf =>
  (costOf) =>
    new CodexSpend(run, costOf);

class CodexSpend implements SpendReader {
  readonly overBudget = undefined;
  readonly #run: CodexRun;
  readonly #costOf: CostOf;
  readonly #lines: LineSplitter;
  #model = '';
  /** The tokens that the last push knew. */
  #pushed = 0;
  #before: Tokens | undefined;
  #recorded: Tokens = NONE;
  #reported: Tokens = NONE;
  #read: (() => void) | undefined;

  constructor(run: CodexRun, costOf: CostOf) {
    this.#run = run;
    this.#costOf = costOf;
    this.#lines = new LineSplitter((line) => this.#fromStream(line));
  }

  push(chunk: string): boolean {
    this.#lines.push(chunk);
    const { outputTokens } = this.spend;
    const counted = outputTokens !== this.#pushed;
    this.#pushed = outputTokens;
    return counted;
  }

  get spend(): Spend {
    this.#read?.();
    const since = minus(this.#recorded, this.#before ?? NONE);
    const tokens = since.output >= this.#reported.output ? since : this.#reported;
    const cost = this.#costOf(this.#model, {
      inputTokens: tokens.input - tokens.cached,
      outputTokens: tokens.output,
      cacheReadTokens: tokens.cached,
      cacheWriteTokens: 0,
    });
    return { outputTokens: tokens.output, usd: cost.type === 'usd' ? cost.usd : tokens.output === 0 ? 0 : null };
  }

  #fromStream(line: string): void {
    const thread = codexThread(line);
    if (thread !== undefined) this.#follow(thread);
    if (!line.includes('"turn.completed"')) return;
    const usage = objectIn(line)?.usage;
    if (isObject(usage)) this.#reported = plus(this.#reported, tokensIn(usage));
  }

  #follow(thread: string): void {
    const file = recordOf(thread, this.#run.env);
    if (file === null) return;
    const read = followFile(file, 0, (line) => this.#fromRecord(line));
    read();
    if (this.#run.isContinued) this.#before = this.#recorded;
    this.#read = read;
  }

  #fromRecord(line: string): void {
    if (line.includes('"turn_context"'))
      this.#model = String(valueAt(objectIn(line), ['payload', 'model']) ?? this.#model);
    if (!line.includes('"token_count"')) return;
    const total = valueAt(objectIn(line), ['payload', 'info', 'total_token_usage']);
    if (isObject(total)) this.#recorded = tokensIn(total);
  }
}

const tokensIn = (usage: JsonObject): Tokens => ({
  input: countOf(usage.input_tokens),
  cached: countOf(usage.cached_input_tokens),
  output: countOf(usage.output_tokens),
});

const plus = (a: Tokens, b: Tokens): Tokens => ({
  input: a.input + b.input,
  cached: a.cached + b.cached,
  output: a.output + b.output,
});

const minus = (a: Tokens, b: Tokens): Tokens => ({
  input: Math.max(0, a.input - b.input),
  cached: Math.max(0, a.cached - b.cached),
  output: Math.max(0, a.output - b.output),
});

/** `sessions/2026/11/18/rollout-<time>-<thread>.jsonl`; null when it keeps none. */
function recordOf(thread: string, env: CodexRun['env']): string | null {
  const folder = path.join(env.CODEX_HOME || path.join(env.HOME || homedir(), '.codex'), 'sessions');
  const names = attempt(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), []);
  const name = names.find((one) => one.endsWith(`-${thread}.jsonl`));
  return name === undefined ? null : path.join(folder, name);
}
