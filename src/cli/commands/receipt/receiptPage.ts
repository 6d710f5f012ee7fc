import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { keyId } from '../../../stop/receipts/signing.ts';
import type { Page } from '../../output/page.ts';
import { oneLine, visibleText } from '../../output/visibleText.ts';
import {
  describeCheck,
  describeEarlier,
  describeEvidence,
  describeSpend,
  describeTree,
  describeWho,
  titleOf,
} from './receiptLines.ts';

/** A receipt for a terminal. */
export function receiptPage({ receipt, publicKey }: SignedReceipt, page: Page): string {
  const { paint } = page;
  const { checks, notProven, waivers, claim, startedAt, stoppedAt, reason, ending, folder } = receipt;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', paint('bold', title), ...lines.map((line) => page.block(visibleText(line), 2))];
  const fact = (name: string, value: string) => `${name.padEnd(10)} ${oneLine(value, page.width - 11)}`;
  return [
    paint(receipt.isProven ? 'green' : 'yellow', titleOf(receipt)),
    fact('Who', describeWho(receipt)),
    fact('Folder', folder),
    fact('When', `${startedAt} to ${stoppedAt}`),
    fact('Outcome', reason),
    ...(ending === null ? [] : [fact('Ended', ending.reason || ending.ending)]),
    ...describeTree(receipt).map(([name, value]) => fact(name, value)),
    fact('Spend', describeSpend(receipt.spend)),
    ...section(
      'Checks',
      checks.map((check) => `${check.name}: ${describeCheck(check)}`),
    ),
    ...section('Not proven', notProven),
    ...section(
      'Waived',
      waivers.map(({ check, reason: why, by, at }) => `${check}: ${why} (${by}, ${at})`),
    ),
    ...section('Claim', claim === null ? ['none on record'] : []),
    ...(claim === null ? [] : ['', paint('bold', 'Claim'), page.quote(visibleText(claim), '  > ')]),
    ...section('What the agent ran', describeEvidence(receipt)),
    ...section('Earlier stops', describeEarlier(receipt)),
    '',
    paint('dim', `Stopgate ${receipt.stopgate}, signed with key ${keyId(publicKey)}`),
    '',
  ].join('\n');
}
