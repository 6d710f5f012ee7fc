import { createGovernor } from '../../../background/governor/governor.ts';
import { fileRunLog } from '../../../background/governor/runLog.ts';
import { askSideQuestion } from '../../../background/sideQuestion.ts';
import type { AssistantContent } from '../../../models/types.ts';
import type { CacheSafeParams } from '../../../query/stop/stopWork.ts';
import { noLog } from '../../../system/log.ts';
import { asSentence } from '../../../system/sentence.ts';
import type { World } from '../../../system/world.ts';
import type { OpenSession } from '../../wiring/openSession.ts';

/** A person waits for it, and may ask again. */
const TIMEOUT_MS = 5 * 60_000;

/** Questions beside the conversation: from the exact prefix of its latest request, while the turn may go on. */
export class SideQuestions {
  readonly #opened: OpenSession;
  readonly #world: World;
  readonly #signal: AbortSignal;
  #latest: CacheSafeParams | undefined;
  #answer: AssistantContent | undefined;

  constructor(opened: OpenSession, world: World, signal: AbortSignal) {
    this.#opened = opened;
    this.#world = world;
    this.#signal = signal;
  }

  requested(request: CacheSafeParams): void {
    this.#latest = request;
    this.#answer = undefined;
  }

  answered(answer: AssistantContent): void {
    this.#answer = answer;
  }

  async ask(question: string): Promise<string> {
    const latest = this.#latest;
    if (latest === undefined) return 'There is no conversation yet to ask about: send a prompt first.';
    const { gathered, ledger, sessionId } = this.#opened;
    const { clock, stopgateHome, cwd } = this.#world;
    const limits = { ...gathered.background.limits, timeoutMs: TIMEOUT_MS };
    const governor = createGovernor({
      ...{ clock, random: Math.random, ledger, costOf: gathered.costOf, maxRetries: gathered.config.maxRetries ?? 2 },
      // a person waits: the budget of background work does not limit it
      limits: { ...limits, maxTokens: Number.POSITIVE_INFINITY, maxUsd: Number.POSITIVE_INFINITY },
      maxBudgetUsd: gathered.config.maxBudgetUsd,
      ...{ switches: gathered.background.switches, log: fileRunLog(stopgateHome, () => {}), logEvent: noLog },
      ...{ project: cwd, sessionId, signal: this.#signal },
    });
    const base = { ...latest, answer: this.#answer };
    const { answer, run } = await askSideQuestion(governor, latest.model, { base, question });
    return answer ?? `The question could not be answered: ${asSentence(run.reason)}`;
  }
}
