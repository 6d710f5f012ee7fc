import type { SignedReceipt } from '../../../schemas/receipt.ts';
import { keyId, receiptText } from '../../../stop/receipts/signing.ts';
import { visibleText } from '../../output/visibleText.ts';
import { describeSpend, describeTree, describeWho, sectionsOf, titleOf } from './receiptLines.ts';

/** A receipt for a pull request, with the signed one inside: `receipt verify` reads it again. */
export function receiptMarkdown(signed: SignedReceipt): string {
  const { receipt, publicKey } = signed;
  const facts = [
    ['Agent', describeWho(receipt)],
    ['Outcome', receipt.reason],
    ['Stopped', receipt.stoppedAt],
    ...describeTree(receipt),
    ['Spend', describeSpend(receipt.spend)],
  ];
  return [
    `### ${receipt.isProven ? '✅' : '⚠️'} ${escaped(titleOf(receipt))}`,
    '',
    '| | |',
    '| --- | --- |',
    ...facts.map(([name = '', value = '']) => `| ${name} | ${escaped(value)} |`),
    ...sectionsOf(receipt).flatMap(({ title, lines, quote = null }) => [
      ...['', `**${title}**`, ''],
      ...lines.map((line) => `- ${escaped(line)}`),
      ...(quote === null ? [] : fenced(visibleText(quote), 'text')),
    ]),
    '',
    `<details><summary>Signed receipt (Stopgate ${receipt.stopgate}, key ${keyId(publicKey)})</summary>`,
    '',
    ...fenced(receiptText(signed).trimEnd(), 'json'),
    '',
    '</details>',
    '',
  ].join('\n');
}

/** The signed receipt inside of a Markdown one; null when there is none. */
export function receiptInMarkdown(text: string): string | null {
  const [, , inside] = /\n(`{3,})json\n([\s\S]*?)\n\1\n/.exec(text) ?? [];
  return inside === undefined ? null : `${inside}\n`;
}

/** Text of an agent must neither format, nor mention, nor end a cell. */
const escaped = (text: string) =>
  visibleText(text)
    .replaceAll('\n', ' ')
    .replaceAll(/[\\`*_[\]<>|~#!]/g, '\\$&')
    .replaceAll('@', '@\u200b');

function fenced(text: string, language: string): readonly string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, text, fence];
}
