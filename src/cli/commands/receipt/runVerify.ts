import { readFileSync } from 'node:fs';
import { keyId, localKey, publicKeyOf } from '../../../stop/receipts/signing.ts';
import { type Verified, verifyReceipt } from '../../../stop/receipts/verifyReceipt.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { printResult } from '../../output/printResult.ts';
import { visibleText } from '../../output/visibleText.ts';
import type { Flags } from '../task/taskOptions.ts';
import { receiptInMarkdown, receiptMarkdown } from './receiptMarkdown.ts';

const MOST_BYTES = 4_000_000;

/** `stopgate receipt verify FILE`. */
export async function runVerify(file: string, options: Flags<'key', 'json'>): Promise<number> {
  const world = thisWorld();
  const verified = withKey(verifyText(textOf(file)), options.key);
  const ownKey = publicKeyOf(localKey(world.stopgateHome));
  await printResult(options.json ? jsonOf(verified) : null, world, ({ paint }) => {
    const lines = verifiedLines(verified, ownKey);
    return `${paint(verified.type === 'valid' ? 'green' : 'red', visibleText(lines.join('\n')))}\n`;
  });
  return verified.type === 'valid' ? 0 : 1;
}

/** JSON, or a Markdown page, whose text must be that of the receipt inside. */
export function verifyText(text: string): Verified {
  if (text.trimStart().startsWith('{')) return verifyReceipt(text);
  // a comment's editor may end lines as on Windows, and drop the last line end
  const page = text.replaceAll('\r\n', '\n').trimEnd();
  const inside = receiptInMarkdown(page);
  if (inside === null) return { type: 'changed', what: ['It has no signed receipt.'] };
  const verified = verifyReceipt(inside);
  if (verified.type === 'changed' || receiptMarkdown(verified.signed).trimEnd() === page) return verified;
  return { type: 'changed', what: ['The text around the signed receipt is not what it says.'] };
}

function withKey(verified: Verified, key: string | undefined): Verified {
  if (verified.type === 'changed' || key === undefined) return verified;
  const { publicKey } = verified.signed;
  if ([publicKey, keyId(publicKey)].includes(key.trim())) return verified;
  return { type: 'changed', what: [`It was signed with another key than the one you named: ${keyId(publicKey)}.`] };
}

function textOf(file: string): string {
  if (file === '-') return readFileSync(0, 'utf8');
  const read = readTextFileSync(file, MOST_BYTES);
  if (read.type === 'read') return read.text;
  throw new UserError(`${file} cannot be read: ${read.type === 'missing' ? 'there is no such file' : read.message}.`);
}

function verifiedLines(verified: Verified, ownKey: string): readonly string[] {
  if (verified.type === 'changed') return ['Not valid:', ...verified.what.map((one) => `- ${one}`)];
  const { publicKey, receipt } = verified.signed;
  const whose =
    publicKey === ownKey ? 'the key of this machine' : `key ${keyId(publicKey)}, which is not that of this machine`;
  return [`Valid: session ${receipt.session}, ${receipt.reason}; signed with ${whose}.`];
}

const jsonOf = (verified: Verified) =>
  verified.type === 'valid'
    ? { valid: true, session: verified.signed.receipt.session, key: keyId(verified.signed.publicKey) }
    : { valid: false, changed: verified.what };

/** `stopgate receipt key`. */
export async function runKey(options: Flags<never, 'json'>): Promise<number> {
  const world = thisWorld();
  const publicKey = publicKeyOf(localKey(world.stopgateHome));
  return printResult(options.json ? { publicKey, id: keyId(publicKey) } : null, world, () => `${publicKey}\n`);
}
