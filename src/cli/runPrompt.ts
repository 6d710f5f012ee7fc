import { endSession } from '../query/endSession.ts';
import { parseTokenBudget } from '../query/parseTokenBudget.ts';
import { type PromptEnd, submitPrompt } from '../query/submitPrompt.ts';
import { endInWords, endingOf } from './ending.ts';
import { listenForInterrupts, SIGNAL_EXIT } from './interrupts.ts';
import type { Output } from './output/output.ts';
import { EMPTY_TALLY, resultLine, tally } from './output/resultLine.ts';
import { drained, processWriter, type Writer } from './output/writer.ts';
import type { PromptFlags } from './promptFlags.ts';
import { UserError } from './userError.ts';
import { version } from './version.ts';
import { type OpenSession, openSession } from './wiring/openSession.ts';
import type { World } from './world.ts';

type MakeOutput = (writer: Writer, sessionId: () => string) => Output;

/** One headless session from its prompt to its exit code. */
export async function runPrompt(
  prompt: string,
  flags: PromptFlags,
  world: World,
  makeOutput: MakeOutput,
): Promise<number> {
  using interrupts = listenForInterrupts(
    (signal) => {
      world.processes.killAll();
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
  output.start({
    cwd: world.cwd,
    sessionId,
    tools: session.params.toolUseContext.tools.map(({ name }) => name),
    model: session.params.toolUseContext.model.id,
    permissionMode: session.params.toolUseContext.permissions.mode,
    version,
  });
  for (const warning of session.warnings) output.warn(warning);
  const end = await follow(session, prompt, output, world, () => interrupts.received() !== undefined);
  // the result has been printed: what is said now must not follow it on stdout
  for (const notice of await endSession(session.params, 'other')) writer.err(`stopgate: ${notice}\n`);
  await drained();
  if (outputFailure) throw new UserError(outputFailure, 1);
  const received = interrupts.received();
  return received ? (SIGNAL_EXIT[received] ?? 1) : endingOf(end, false).exitCode;
}

async function follow(
  session: OpenSession,
  prompt: string,
  output: Output,
  world: World,
  interrupted: () => boolean,
): Promise<PromptEnd> {
  const startedAt = world.clock.now();
  let counts = EMPTY_TALLY;
  const { config } = session.params;
  // a flag wins over words in the prompt
  const tokenBudget = config?.tokenBudget ?? parseTokenBudget(prompt);
  const running = submitPrompt({ ...session.params, prompt, config: { ...config, tokenBudget } });
  while (true) {
    const { done, value } = await running.next();
    if (!done) {
      counts = tally(counts, value);
      output.event(value);
      continue;
    }
    const durationMs = world.clock.now() - startedAt;
    const facts = { end: value, tally: counts, ledger: session.ledger, sessionId: session.sessionId };
    output.end(
      resultLine({ ...facts, durationMs, interrupted: interrupted(), uuid: world.ids.uuid() }),
      endInWords(value),
    );
    return value;
  }
}
