import path from 'node:path';
import { noteLimit } from '../../../launch/spendFile.ts';
import { endSession, type GaveUp, runSession, type SessionEvent } from '../../../query/prompt/runSession.ts';
import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import { type GateEnding, unprovable } from '../../../stop/ending.ts';
import { recordDecision, runEntry } from '../../../stop/ledger.ts';
import { decideRunEnding, ledgerEnding } from '../../../stop/runEnding.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { type Interrupts, listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { REPORTED } from '../../../system/marks.ts';
import { redactSecrets } from '../../../system/redactSecrets.ts';
import { secretValues } from '../../../system/secretPolicy.ts';
import { UserError } from '../../../system/userError.ts';
import { version } from '../../../system/version.ts';
import type { World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import type { BackgroundTask } from '../../../tools/background/backgroundTasks.ts';
import { paintFor } from '../../output/colors.ts';
import { ENDING_OUTCOMES, outcomeStyle } from '../../output/outcomes.ts';
import type { GitFacts } from '../../wiring/gitFacts.ts';
import { type OpenSession, openSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import {
  describeEnd,
  describeRun,
  type EndedRun,
  endingOf,
  exitCodeOfChecks,
  exitCodeOfRun,
  type PromptChecks,
} from './ending.ts';
import type { Output, SessionInit } from './output/output.ts';
import { EMPTY_TALLY, resultLine, type SessionTally, tally, terminalReason } from './output/resultLine.ts';
import { decideTokenBudget, type GivenPrompt } from './promptBudget.ts';

export type MakeOutput = (writer: Writer, sessionId: () => string) => Output;

/** One headless session from its prompt to its exit code. */
export async function runPrompt(
  prompt: GivenPrompt,
  flags: PromptFlags,
  world: World,
  { makeOutput, git }: { readonly makeOutput: MakeOutput; readonly git?: Promise<GitFacts> },
): Promise<number> {
  let opened: OpenSession | undefined;
  using interrupts = listenForInterrupts(
    (signal) => {
      const left = opened?.params.toolUseContext.toolServices.background.allRunning() ?? [];
      if (left.length > 0) writer.err(`stopgate: Ended background work that was still running: ${namesOf(left)}.\n`);
      world.processes.killAll();
      opened?.killLeftovers();
      process.exit(SIGNAL_EXIT[signal]);
    },
    (text) => writer.err(`${writer.errIsTerminal ? '\n' : 'stopgate: '}${text}\n`),
  );
  let outputFailure: string | undefined;
  const writer = processWriter((failure) => {
    outputFailure ??= failure;
    interrupts.abort();
  });
  const output = makeOutput(writer, () => opened?.sessionId ?? '');
  await using session = await openSession(flags, world, {
    signal: interrupts.signal,
    warn: output.warn,
    ...(git && { git }),
  });
  opened = session;
  const { end, run } = await follow({ prompt, flags, world, session, output, writer, interrupts });
  noteLimit(world.env, end);
  const checks = checksOf(session, flags);
  const ending = describeRun(run);
  if (ending !== null) writer.err(`stopgate: ${ending}\n`);
  if (checks !== null && !isReported(world))
    writer.err(`stopgate: checks: ${checksText(checks.ending, writer, world)}\n`);
  // the result was printed: nothing may follow it on stdout
  for (const notice of await endSession(session.params, 'other')) writer.err(`stopgate: ${notice}\n`);
  await drained();
  if (outputFailure) throw new UserError(outputFailure, 1);
  const received = interrupts.received();
  if (received) return SIGNAL_EXIT[received] ?? 1;
  const plain = endingOf(end, false).exitCode || (checks === null ? 0 : exitCodeOfChecks(checks));
  return plain || exitCodeOfRun(run, checks, flags.outputFormat);
}

/** Colored on a terminal; its first word is the outcome. */
const checksText = ({ type, reason }: GateEnding, { errIsTerminal }: Writer, { env }: World): string =>
  paintFor(errIsTerminal, env)(outcomeStyle(ENDING_OUTCOMES[type]), reason);

/** `launch` and workers print the armed checks and their end themselves. */
const isReported = ({ env }: World) => env[REPORTED] === '1';

/** Null when there are no checks and no proof is required. */
function checksOf(session: OpenSession, { requireProof }: PromptFlags): PromptChecks | null {
  const hasConfig = session.armed.sentence !== null;
  return hasConfig || requireProof ? { ending: session.checks(), requireProof } : null;
}

interface Run {
  readonly prompt: GivenPrompt;
  readonly flags: PromptFlags;
  readonly world: World;
  readonly session: OpenSession;
  readonly output: Output;
  readonly writer: Writer;
  readonly interrupts: Interrupts;
}

/** Shows a session as it happens, with one result per turn; returns the end of the last turn, and of the run. */
async function follow(run: Run) {
  const { session, prompt, flags, output, writer, world } = run;
  const { params, ledger, sessionId } = session;
  const init = await sessionInit(run);
  let startedAt = world.clock.now();
  let counts = EMPTY_TALLY;
  let endedTasks: readonly BackgroundTask[] = [];
  let happened = false;
  const resultOf = (end: PromptEnd, ended?: EndedRun) => {
    const interrupted = run.interrupts.received() !== undefined;
    const times = { durationMs: world.clock.now() - startedAt, uuid: world.ids.uuid() };
    const checks = checksOf(session, flags);
    return resultLine({
      end,
      tally: counts,
      ledger,
      sessionId,
      interrupted,
      checks,
      endedTasks,
      ...times,
      ...(ended && { run: ended }),
    });
  };
  const { tokens: tokenBudget, sentence } = decideTokenBudget(params.config?.tokenBudget ?? null, prompt);
  if (sentence !== undefined) writer.err(`stopgate: ${sentence}\n`);
  const { text, argument: ownWords = text, inbox } = prompt;
  const config = { ...params.config, tokenBudget };
  const running = runSession({ ...params, prompt: text, ownWords, config, ...(inbox && { inbox }) });
  // gates record the start themselves
  if (!session.isHeld) session.records.started(params.source);
  const recordEnd = (end: PromptEnd, since: number) =>
    session.records.turnEnded(end, {
      ending: terminalReason(end.reason, checksOf(session, flags)),
      words: describeEnd(end),
      durationMs: world.clock.now() - since,
    });
  let isFirst = true;
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      const { end, isReported: isPrinted } = value;
      const ended = await endOfRun(run, end, { happened: happened || didWork(counts), endedTasks });
      if (isPrinted) return { end, run: ended };
      const result = resultOf(end, ended);
      await recordEnd(end, startedAt);
      output.end(result, describeEnd(end));
      return { end, run: ended };
    }
    if (value.type === 'prompt_started') {
      output.start(init);
      if (isFirst) warnOnce(run);
      isFirst = false;
    } else if (value.type === 'prompt_ended') {
      output.turnEnd(resultOf(value.end));
      happened ||= didWork(counts);
      await recordEnd(value.end, startedAt);
      startedAt = world.clock.now();
      counts = EMPTY_TALLY;
    } else if (value.type === 'waiting' || value.type === 'gave_up') {
      if (value.type === 'gave_up') endedTasks = value.tasks;
      writer.err(`stopgate: ${describeTasks(value, params.backgroundWaitMs)}\n`);
    } else {
      counts = tally(counts, value);
      session.records.event(value);
      output.event(value);
    }
  }
}

const didWork = ({ calledTools, lastAnswer }: SessionTally) => calledTools || lastAnswer.trim() !== '';

interface SeenInSession {
  /** Whether any turn called a tool or answered. */
  readonly happened: boolean;
  readonly endedTasks: readonly BackgroundTask[];
}

/** Recorded when it did not just complete: `launch` and workers read it in the ledger. */
async function endOfRun(run: Run, { reason }: PromptEnd, seen: SeenInSession): Promise<EndedRun> {
  const { session, world, interrupts, flags } = run;
  // a turn that was blocked, interrupted or failed has its own word
  if (reason !== 'completed' || interrupts.received() !== undefined) return { ending: 'completed', left: [] };
  const secrets = secretValues(world.env);
  const found = await session.findLeftovers();
  const left = found.map((one) => ({ ...one, command: redactSecrets(one.command, secrets) }));
  const { happened: answered, endedTasks } = seen;
  const leftRunning = left.length + endedTasks.length > 0;
  const ending = decideRunEnding({ answered, calledTools: answered, changedFiles: null, leftRunning });
  if (ending === 'completed') return { ending, left };
  const entry = runEntry(ledgerEnding(ending, left, checksOf(session, flags)?.ending));
  const folder = session.armed.file === null ? world.cwd : path.dirname(session.armed.file);
  const recorder = { ...world, hostPid: process.pid, asker: { name: 'stopgate' } };
  for (const note of recordDecision({ entry, folder, payload: { session_id: session.sessionId } }, recorder)) {
    run.writer.err(`${note}\n`);
  }
  return { ending, left };
}

/** Names of commands, skills and agents only for stream-json, which shows them. */
async function sessionInit({ session, flags, world }: Run): Promise<SessionInit> {
  const { model, permissions, tools } = session.params.toolUseContext;
  const names = flags.outputFormat === 'stream-json' ? await session.listNames() : undefined;
  return {
    cwd: world.cwd,
    session_id: session.sessionId,
    tools: tools.map(({ name }) => name),
    mcp_servers: session.mcpServers,
    model: model.id,
    permissionMode: permissions.mode,
    slash_commands: names?.commands,
    apiKeySource: model.keySource ?? 'none',
    stopgate_version: version,
    output_style: 'default',
    agents: names?.agents,
    skills: names?.skills,
    plugins: [],
    additional_directories: permissions.additionalDirectories,
    ...(session.leftOut.length > 0 && { not_trusted: session.leftOut }),
  };
}

/** What a person should know of the session before its first prompt. */
function warnOnce({ session, flags, world, output, writer }: Run): void {
  const { armed, warnings } = session;
  // the parent process has reported the armed checks
  const reported = isReported(world);
  for (const warning of warnings) if (!(reported && warning === armed.sentence)) output.warn(warning);
  if (armed.checks.length > 0 && !reported) writer.err(`stopgate: ${armed.sentence}\n`);
  if (armed.checks.length === 0 && flags.requireProof) writer.err(`stopgate: ${unprovable(session.checks())}\n`);
}

function describeTasks(event: Extract<SessionEvent, { type: 'waiting' | 'gave_up' }>, waitMs: number): string {
  const names = namesOf(event.tasks);
  const limit = waitMs === 0 ? 'without limit' : `at most ${formatDuration(waitMs)}`;
  if (event.type === 'waiting') return `Waiting for background work: ${names} (${limit}; Ctrl-C ends it).`;
  return `Ended background work that was still running: ${names} (${GAVE_UP[event.why]}).`;
}

const namesOf = (tasks: readonly BackgroundTask[]): string =>
  tasks.map(({ description }) => JSON.stringify(description)).join(', ');

const GAVE_UP: { readonly [Why in GaveUp]: string } = {
  waited: 'STOPGATE_BG_WAIT_CEILING_MS sets the longest wait',
  interrupted: 'the session was interrupted',
  spent: 'the budget is spent',
};
