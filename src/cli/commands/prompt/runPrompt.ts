import { noteLimit } from '../../../launch/spendFile.ts';
import { endSession, type GaveUp, runSession, type SessionEvent } from '../../../query/prompt/runSession.ts';
import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import { unprovable } from '../../../stop/ending.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { type Interrupts, listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { REPORTED } from '../../../system/marks.ts';
import { UserError } from '../../../system/userError.ts';
import { version } from '../../../system/version.ts';
import type { World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import type { BackgroundTask } from '../../../tools/background/backgroundTasks.ts';
import { type OpenSession, openSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { describeEnd, endingOf, exitCodeOfChecks, type PromptChecks } from './ending.ts';
import type { Output, SessionInit } from './output/output.ts';
import { EMPTY_TALLY, resultLine, tally } from './output/resultLine.ts';
import { decideTokenBudget, type GivenPrompt } from './promptBudget.ts';

type MakeOutput = (writer: Writer, sessionId: () => string) => Output;

/** One headless session from its prompt to its exit code. */
export async function runPrompt(
  prompt: GivenPrompt,
  flags: PromptFlags,
  world: World,
  makeOutput: MakeOutput,
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
  await using session = await openSession(flags, world, { signal: interrupts.signal, warn: output.warn });
  opened = session;
  const end = await follow({ prompt, flags, world, session, output, writer, interrupts });
  noteLimit(world.env, end);
  const checks = checksOf(session, flags);
  if (checks !== null && !isReported(world)) writer.err(`stopgate: checks: ${checks.ending.reason}\n`);
  // the result was printed: nothing may follow it on stdout
  for (const notice of await endSession(session.params, 'other')) writer.err(`stopgate: ${notice}\n`);
  await drained();
  if (outputFailure) throw new UserError(outputFailure, 1);
  const received = interrupts.received();
  if (received) return SIGNAL_EXIT[received] ?? 1;
  return endingOf(end, false).exitCode || (checks === null ? 0 : exitCodeOfChecks(checks));
}

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

/** Shows a session as it happens, with one result per turn; returns the end of the last turn. */
async function follow(run: Run): Promise<PromptEnd> {
  const { session, prompt, flags, output, writer, world } = run;
  const { params, ledger, sessionId } = session;
  const init = await sessionInit(run);
  let startedAt = world.clock.now();
  let counts = EMPTY_TALLY;
  let endedTasks: readonly BackgroundTask[] = [];
  const resultOf = (end: PromptEnd) => {
    const interrupted = run.interrupts.received() !== undefined;
    const times = { durationMs: world.clock.now() - startedAt, uuid: world.ids.uuid() };
    const checks = checksOf(session, flags);
    return resultLine({ end, tally: counts, ledger, sessionId, interrupted, checks, endedTasks, ...times });
  };
  const { tokens: tokenBudget, sentence } = decideTokenBudget(params.config?.tokenBudget ?? null, prompt);
  if (sentence !== undefined) writer.err(`stopgate: ${sentence}\n`);
  const { text, argument: ownWords = text, inbox } = prompt;
  const config = { ...params.config, tokenBudget };
  const running = runSession({ ...params, prompt: text, ownWords, config, ...(inbox && { inbox }) });
  let isFirst = true;
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      output.end(resultOf(value), describeEnd(value));
      return value;
    }
    if (value.type === 'prompt_started') {
      output.start(init);
      if (isFirst) warnOnce(run);
      isFirst = false;
    } else if (value.type === 'prompt_ended') {
      output.turnEnd(resultOf(value.end));
      startedAt = world.clock.now();
      counts = EMPTY_TALLY;
    } else if (value.type === 'waiting' || value.type === 'gave_up') {
      if (value.type === 'gave_up') endedTasks = value.tasks;
      writer.err(`stopgate: ${describeTasks(value, params.backgroundWaitMs)}\n`);
    } else {
      counts = tally(counts, value);
      output.event(value);
    }
  }
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
