import { drained, processWriter } from '../../system/writer.ts';
import { type Page, pageFor } from './page.ts';

/** Prints a result as JSON, or as text that fits the terminal. */
export async function printResult(
  json: object | null,
  world: Parameters<typeof pageFor>[1],
  textOf: (page: Page, isTerminal: boolean) => string,
): Promise<number> {
  const writer = processWriter(() => process.exit(0));
  if (json !== null) writer.out(`${JSON.stringify(json)}\n`);
  else writer.out(textOf(pageFor(writer, world), writer.outIsTerminal));
  await drained();
  return 0;
}
