import { chooseOutput } from '../output/chooseOutput.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { readStdin } from '../readStdin.ts';
import { runPrompt } from '../runPrompt.ts';
import { UserError } from '../userError.ts';
import { thisWorld } from '../world.ts';

export async function runPromptCommand(argument: string | undefined, flags: PromptFlags): Promise<number> {
  const world = thisWorld();
  const piped = await readStdin(argument !== undefined, (sentence) => process.stderr.write(`stopgate: ${sentence}\n`));
  const prompt = [argument, piped].filter((part) => part?.trim()).join('\n');
  if (!prompt) throw new UserError('There is no prompt: write stopgate -p "what to do", or pipe it in.');
  const { env } = world;
  const now = () => world.clock.now();
  const given = { text: prompt, argument: argument?.trim() ? argument : undefined };
  return runPrompt(given, flags, world, (writer, sessionId) => chooseOutput({ writer, flags, env, now, sessionId }));
}
