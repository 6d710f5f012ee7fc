import { endSession } from '../../../query/prompt/runSession.ts';
import { startSession, turnBefore } from '../../../query/prompt/submitPrompt.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { chooseModelIfAny } from '../../wiring/chooseModel.ts';
import { openSession } from '../../wiring/openSession.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import { chooseOutput } from './output/chooseOutput.ts';

/** `--init-only`: the hooks at the start and end of a session, without a prompt or a model. */
export async function runInitOnly(flags: PromptFlags): Promise<number> {
  const world = thisWorld();
  const writer = processWriter(() => interrupts.abort());
  using interrupts = listenForInterrupts(
    (signal) => {
      world.processes.killAll();
      process.exit(SIGNAL_EXIT[signal]);
    },
    (text) => writer.err(`stopgate: ${text}\n`),
  );
  let sessionId = '';
  const facts = { writer, flags, env: world.env, now: () => world.clock.now(), sessionId: () => sessionId };
  const output = chooseOutput(facts);
  const opening = { signal: interrupts.signal, warn: output.warn, choose: chooseModelIfAny };
  await using session = await openSession({ ...flags, sessionPersistence: false }, world, opening);
  sessionId = session.sessionId;
  for (const warning of session.warnings) output.warn(warning);
  const running = startSession(turnBefore(session.params), session.params);
  for (let step = await running.next(); !step.done; step = await running.next()) output.event(step.value);
  for (const notice of await endSession(session.params, 'other')) writer.err(`stopgate: ${notice}\n`);
  await drained();
  return interrupts.exitCode() ?? 0;
}
