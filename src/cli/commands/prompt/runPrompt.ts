import { noteLimit } from '../../../launch/spendFile.ts';
import { endSession, type GaveUp, runSession, type SessionEvent } from '../../../query/prompt/runSession.ts';
import type { PromptEnd } from '../../../query/prompt/submitPrompt.ts';
import { unprovable } from '../../../stop/ending.ts';
import { formatDuration } from '../../../system/formatDuration.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
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

const NO_NAMES = { commands: [], skills: [], agents: [] };

/** One headless session from its prompt to its exit code. */
export async function runPrompt(
  prompt: GivenPrompt,
  flags: PromptFlags,
  world: World,
  makeOutput: MakeOutput,
): Promise<number> {
  let opened: OpenSession | undefined;
  const running = () => opened;
  let killLeftovers = () => {};
  using interrupts = listenForInterrupts(
    (signal) => {
      const left = running()?.params.toolUseContext.toolServices.background.allRunning() ?? [];
      if (left.length > 0) writer.err(`stopgate: Ended background work that was still running: ${namesOf(left)}.\n`);
      world.processes.killAll();
      killLeftovers();
      process.exit(SIGNAL_EXIT[signal]);
    },
    (text) => writer.err(`${writer.errIsTerminal ? '\n' : 'stopgate: '}${text}\n`),
  );
  let outputFailure: string | undefined;
  const writer = processWriter((failure) => {
    outputFailure ??= failure;
    interrupts.abort();
  });
  let sessionId = '';
  const output = makeOutput(writer, () => sessionId);
  await using session = await openSession(flags, world, { signal: interrupts.signal, warn: output.warn });
  sessionId = session.sessionId;
  opened = session;
  killLeftovers = session.killLeftovers;
  const checks = () => checksOf(session, flags);
  const interrupted = () => interrupts.received() !== undefined;
  const names = flags.outputFormat === 'stream-json' ? await session.listNames() : NO_NAMES;
  const start = startOnce({ session, output, writer, world, flags, names });
  const end = await follow({ session, prompt, output, writer, world, interrupted, checks, start });
  noteLimit(world.env, end);
  const ended = checks();
  if (ended !== null && !isReported(world)) writer.err(`stopgate: checks: ${ended.ending.reason}\n`);
  // the result was printed: nothing may follow it on stdout
  for (const notice of await endSession(session.params, 'other')) writer.err(`stopgate: ${notice}\n`);
  await drained();
  if (outputFailure) throw new UserError(outputFailure, 1);
  const received = interrupts.received();
  if (received) return SIGNAL_EXIT[received] ?? 1;
  return endingOf(end, false).exitCode || (ended === null ? 0 : exitCodeOfChecks(ended));
}

/** `launch` and workers print the armed checks and their end themselves. */
const isReported = ({ env }: World) => env[REPORTED] === '1';

/** Null when there are no checks and no proof is required. */
function checksOf(session: OpenSession, { requireProof }: PromptFlags): PromptChecks | null {
  const hasConfig = session.armed.sentence !== null;
  return hasConfig || requireProof ? { ending: session.checks(), requireProof } : null;
}

interface Shown {
  readonly session: OpenSession;
  readonly output: Output;
  readonly writer: Writer;
  readonly world: World;
}

interface FollowContext extends Shown {
  readonly prompt: GivenPrompt;
  readonly interrupted: () => boolean;
  readonly checks: () => PromptChecks | null;
  /** Shows the session before each prompt. */
  readonly start: () => void;
}

/** Shows a session as it happens, with one result per turn; returns the end of the last turn. */
async function follow(context: FollowContext): Promise<PromptEnd> {
  const { session, prompt, output, writer, world } = context;
  const { params } = session;
  let startedAt = world.clock.now();
  let counts = EMPTY_TALLY;
  let endedTasks: readonly BackgroundTask[] = [];
  const resultOf = (end: PromptEnd) => {
    const durationMs = world.clock.now() - startedAt;
    const facts = { end, tally: counts, ledger: session.ledger, sessionId: session.sessionId };
    const state = { interrupted: context.interrupted(), checks: context.checks() };
    return resultLine({ ...facts, ...state, endedTasks, durationMs, uuid: world.ids.uuid() });
  };
  const { tokens: tokenBudget, sentence } = decideTokenBudget(params.config?.tokenBudget ?? null, prompt);
  if (sentence !== undefined) writer.err(`stopgate: ${sentence}\n`);
  const { text, argument: ownWords = text, inbox } = prompt;
  const config = { ...params.config, tokenBudget };
  const running = runSession({ ...params, prompt: text, ownWords, config, ...(inbox && { inbox }) });
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      output.end(resultOf(value), describeEnd(value));
      return value;
    }
    if (value.type === 'prompt_started') context.start();
    else if (value.type === 'prompt_ended') {
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

interface StartContext extends Shown {
  readonly flags: PromptFlags;
  readonly names: Pick<SessionInit, 'commands' | 'skills' | 'agents'>;
}

/** Shows the session before each prompt; warnings and armed checks only once. */
function startOnce({ session, output, writer, world, flags, names }: StartContext): () => void {
  const { model, permissions, tools } = session.params.toolUseContext;
  const { sessionId, armed } = session;
  let shown = false;
  return () => {
    output.start({
      cwd: world.cwd,
      sessionId,
      tools: tools.map(({ name }) => name),
      model: model.id,
      permissionMode: permissions.mode,
      version,
      ...names,
      mcpServers: session.mcpServers,
      keySource: model.keySource ?? 'none',
      additionalDirectories: permissions.additionalDirectories,
    });
    if (shown) return;
    shown = true;
    // the parent process has reported the armed checks
    const reported = isReported(world);
    for (const warning of session.warnings) if (!(reported && warning === armed.sentence)) output.warn(warning);
    if (armed.checks.length > 0 && !reported) writer.err(`stopgate: ${armed.sentence}\n`);
    if (armed.checks.length === 0 && flags.requireProof) writer.err(`stopgate: ${unprovable(session.checks())}\n`);
  };
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
