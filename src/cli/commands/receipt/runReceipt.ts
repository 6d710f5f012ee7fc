import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { currentReceipt } from '../../../stop/receipts/currentReceipt.ts';
import { receiptText } from '../../../stop/receipts/signing.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { pageFor } from '../../output/page.ts';
import { namedSession } from '../../wiring/namedSession.ts';
import type { Flags } from '../task/taskOptions.ts';
import { receiptMarkdown } from './receiptMarkdown.ts';
import { receiptPage } from './receiptPage.ts';

type ReceiptOptions = Flags<'store', 'markdown' | 'json'>;

/** `stopgate receipt`: what a session claimed and what was proven. */
export async function runReceipt(wanted: string | undefined, options: ReceiptOptions): Promise<number> {
  const world = thisWorld();
  const session = await namedSession(wanted, { ...world, store: options.store });
  const current = currentReceipt(world.stopgateHome, session);
  if (current === null) throw new UserError(`Nothing is on record about the session ${session}.`);
  const { signed, note } = current;
  const writer = processWriter(() => process.exit(0));
  if (note !== null) writer.err(`stopgate: ${note}\n`);
  writer.out(textOf(signed, options, () => receiptPage(signed, pageFor(writer, world))));
  await drained();
  return 0;
}

function textOf(signed: SignedReceipt, { json, markdown }: ReceiptOptions, page: () => string): string {
  if (json) return receiptText(signed);
  return markdown ? receiptMarkdown(signed) : page();
}
