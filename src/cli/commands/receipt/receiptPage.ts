import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { keyId } from '../../../stop/receipts/signing.ts';
import { describeOutcome } from '../../output/outcomes.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import { describeSpend, describeTree, describeWho, sectionsOf, titleOf } from './receiptLines.ts';

/** A receipt for a terminal. */
export function receiptPage({ receipt, publicKey }: SignedReceipt, page: Page): string {
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
