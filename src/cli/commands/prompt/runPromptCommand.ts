import { readStdin } from '../../../system/readStdin.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { gitFacts } from '../../wiring/gitFacts.ts';
import type { PromptFlags } from '../../wiring/promptFlags.ts';
import type { GivenPrompt } from './promptBudget.ts';
import type { MakeOutput } from './runPrompt.ts';

/** `mayWait`: with `-p` a prompt was announced, so a pipe that stays empty is waited for. */
export async function runPromptCommand(
  argument: string | undefined,
  flags: PromptFlags,
  { mayWait }: { readonly mayWait: boolean },
): Promise<number> {
  const world = thisWorld();
  if (flags.inputFormat === 'stream-json') return await runPromptLines(argument, flags, world);
  const hasPrompt = argument !== undefined || !mayWait;
  const piped = await readStdin(hasPrompt, (sentence) => process.stderr.write(`stopgate: ${sentence}\n`));
  const prompt = [argument, piped].filter((part) => part?.trim()).join('\n');
  if (!prompt) throw new UserError('No prompt: use stopgate -p "PROMPT", or pipe it in.');
  return runGiven({ text: prompt, argument: argument?.trim() ? argument : undefined }, flags, world);
}

/** One prompt per line, until stdin is closed. */
async function runPromptLines(argument: string | undefined, flags: PromptFlags, world: World): Promise<number> {
  if (argument?.trim())
    throw new UserError('With --input-format stream-json the prompts are read from stdin; remove the argument.');
  const { promptLines } = await import('./promptLines.ts');
  const inbox = promptLines(process.stdin, (sentence) => process.stderr.write(`stopgate: ${sentence}\n`));
  try {
    const text = await inbox.next();
    if (!text?.trim())
      throw new UserError('No prompt: write {"type":"user","message":{"role":"user","content":"…"}} to stdin.');
    return await runGiven({ text, argument: undefined, inbox }, flags, world);
  } finally {
    // the other side may keep it open
    process.stdin.destroy();
  }
}

/** Git runs while everything else is loaded. */
async function runGiven(given: GivenPrompt, flags: PromptFlags, world: World): Promise<number> {
  const git = gitFacts(world);
  // it starts before the next turn of the event loop
  await new Promise((next) => setImmediate(next));
  const { runPrompt } = await import('./runPrompt.ts');
  const { chooseOutput } = await import('./output/chooseOutput.ts');
  const { env } = world;
  const now = () => world.clock.now();
  const makeOutput: MakeOutput = (writer, sessionId) => chooseOutput({ writer, flags, env, now, sessionId });
  return runPrompt(given, flags, world, { makeOutput, git });
}
