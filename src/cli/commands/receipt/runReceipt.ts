import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { currentReceipt } from '../../../stop/receipts/currentReceipt.ts';
import { keyId, receiptText } from '../../../stop/receipts/signing.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { drained, processWriter } from '../../../system/writer.ts';
import { describeOutcome } from '../../output/outcomes.ts';
import { type Page, pageFor } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { namedSession } from '../../wiring/namedSession.ts';
import type { Flags } from '../task/taskOptions.ts';
import { describeSpend, describeTree, describeWho, sectionsOf, titleOf } from './receiptLines.ts';
import { receiptMarkdown } from './receiptMarkdown.ts';

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

/** A receipt for a terminal. */
function receiptPage({ receipt, publicKey }: SignedReceipt, page: Page): string {
  const { paint } = page;
  const { claim, startedAt, stoppedAt, outcome, reason, ending, folder } = receipt;
  const facts: readonly (readonly [string, string])[] = [
    ['Who', describeWho(receipt)],
    ['Folder', folder],
    ['When', `${startedAt} to ${stoppedAt}`],
    ['Outcome', describeOutcome(outcome, reason)],
    ...(ending === null ? [] : [['Ended', ending.reason || ending.ending] as const]),
    ...describeTree(receipt),
    ['Spend', describeSpend(receipt.spend)],
    ...(claim === null ? [['Claim', 'none on record'] as const] : []),
  ];
  return [
    paint(receipt.isProven ? 'green' : 'yellow', page.block(titleOf(receipt), 0)),
    ...facts.map(([name, value]) => page.fact(name, oneLine(value))),
    ...sectionsOf(receipt).flatMap(({ title, lines, quote = null }) => [
      ...['', paint('bold', title)],
      ...lines.map((line) => page.block(visibleText(line), 2)),
      ...(quote === null ? [] : [quoted(quote, page)]),
    ]),
    '',
    paint('dim', page.block(`Stopgate ${receipt.stopgate}, signed with key ${keyId(publicKey)}`, 0)),
    '',
  ].join('\n');
}

/** Prose, so it is wrapped between words; each line has our mark, as in `page.quote`. */
const quoted = (text: string, page: Page) => page.block(visibleText(text), MARK.length).replaceAll(/^ {4}/gm, MARK);

const MARK = '  > ';
