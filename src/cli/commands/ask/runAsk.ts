import { createGovernor } from '../../../background/governor/governor.ts';
import { backgroundLimits } from '../../../background/governor/limits.ts';
import { fileRunLog } from '../../../background/governor/runLog.ts';
import { decideSwitches } from '../../../background/governor/switches.ts';
import { askSideQuestion, forkFrom, type SideAnswer } from '../../../background/sideQuestion.ts';
import { readSnapshot, snapshotPath } from '../../../background/snapshot/snapshotStore.ts';
import { SpendLedger } from '../../../models/ledger.ts';
import { loadPrices } from '../../../models/prices.ts';
import { maxRetries } from '../../../models/retries.ts';
import type { SnapshotFile } from '../../../schemas/snapshot.ts';
import { listenForInterrupts } from '../../../system/interrupts.ts';
import { noLog } from '../../../system/log.ts';
import { asSentence } from '../../../system/sentence.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { statusLine } from '../../output/statusLine.ts';
import { type FoundSession, findSession } from '../../wiring/findSession.ts';
import { switchFacts } from '../../wiring/gatherBackground.ts';
import { modelResolver } from '../../wiring/modelResolver.ts';
import { projectTrust, readSettings } from '../../wiring/readSettings.ts';
import type { Flags } from '../task/taskOptions.ts';

/** `stopgate ask`: a question that never becomes part of the session. Only reads the session's files. */
export async function runAsk(question: string, options: Flags<'session', 'json'>): Promise<number> {
  const world = thisWorld();
  using interrupts = listenForInterrupts();
  const writer = processWriter(() => interrupts.abort());
  if (question.trim() === '')
    throw new UserError('The question is empty; write for example stopgate ask "what did you change?".');
  const session = await findSession(world, options.session);
  const snapshot = await snapshotOf(session);
  const asked: Question = { session, snapshot, question, signal: interrupts.signal };
  const line = statusLine(writer, () => world.clock.now());
  line.show(`${snapshot.model} is thinking`);
  const { run, answer } = await ask(world, asked);
  line.stop();
  const failure = answer === undefined ? asSentence(run.reason) : null;
  if (options.json) writer.out(`${JSON.stringify(answerJson(asked, run, answer))}\n`);
  else if (failure !== null) writer.err(`stopgate: The question could not be answered: ${failure}\n`);
  else writer.out(`${answer}\n`);
  await drained();
  return interrupts.exitCode() ?? (failure === null ? 0 : 1);
}

async function snapshotOf({ id, folder }: FoundSession): Promise<SnapshotFile> {
  const read = await readSnapshot(folder);
  if (read.type === 'ok') return read.snapshot;
  if (read.type === 'missing') {
    throw new UserError(`Session ${id} has no snapshot yet; one is saved each time its agent stops.`);
  }
  throw new UserError(
    `The snapshot ${snapshotPath(folder)} cannot be used (${read.reason}); the session's next stop replaces it.`,
  );
}

interface Question {
  readonly session: FoundSession;
  readonly snapshot: SnapshotFile;
  readonly question: string;
  readonly signal: AbortSignal;
}

async function ask(world: World, { session, snapshot, question, signal }: Question): Promise<SideAnswer> {
  const settings = await readSettings({}, world, projectTrust({ trustProject: false }, world));
  const facts = switchFacts(settings, world, false);
  const prices = loadPrices(facts.env);
  if (prices.type === 'bad') throw new UserError(asSentence(prices.message));
  const resolved = modelResolver(settings, world).resolve(snapshot.model);
  if (resolved.type === 'unknown') throw new UserError(asSentence(resolved.message));
  const governor = createGovernor({
    clock: world.clock,
    random: Math.random,
    ledger: new SpendLedger(),
    costOf: prices.costOf,
    maxRetries: maxRetries(facts.env).maxRetries,
    // a person is waiting: only time and the context window limit it, not the budget of background work
    limits: {
      ...backgroundLimits(facts.env).limits,
      maxTokens: Number.POSITIVE_INFINITY,
      maxUsd: Number.POSITIVE_INFINITY,
      timeoutMs: ASK_TIMEOUT_MS,
    },
    switches: decideSwitches(facts),
    log: fileRunLog(world.stopgateHome, () => {}),
    logEvent: noLog,
    project: world.cwd,
    sessionId: session.id,
    signal,
  });
  return askSideQuestion(governor, resolved.model, { base: forkFrom(snapshot), question });
}

const ASK_TIMEOUT_MS = 5 * 60_000;

function answerJson({ question, snapshot: { model } }: Question, run: SideAnswer['run'], answer?: string): object {
  const { durationMs: duration_ms, tokens, costUsd: cost_usd, session: session_id } = run;
  const failed = answer === undefined ? { error: asSentence(run.reason) } : {};
  return { session_id, model, question, answer: answer ?? null, ...failed, duration_ms, tokens, cost_usd };
}
