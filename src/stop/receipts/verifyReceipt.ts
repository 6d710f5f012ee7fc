import { createPublicKey, verify } from 'node:crypto';
import { jsonValue } from '../../schemas/jsonValue.ts';
import { type SignedReceipt, signedReceipt } from '../../schemas/receipt.ts';
import { digestsOf, publicKeyOf, receiptText, signedBytes } from './signing.ts';

export type Verified =
  | { readonly type: 'valid'; readonly signed: SignedReceipt }
  /** Sentences that name it. */
  | { readonly type: 'changed'; readonly what: readonly string[] };

export function verifyReceipt(text: string): Verified {
  const changed = (...what: readonly string[]): Verified => ({ type: 'changed', what });
  const value = jsonValue(text);
  if (value === undefined) return changed('It is not JSON.');
  const read = signedReceipt.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return changed(`It is not a receipt: ${issue?.path.join('.') || 'the top'}: ${issue?.message}.`);
  }
  const signed = read.data;
  const { receipt, digests, signature, publicKey } = signed;
  const now = digestsOf(receipt);
  const fields = [...new Set([...Object.keys(now), ...Object.keys(digests)])].filter(
    (one) => now[one] !== digests[one],
  );
  const what = fields.map((field) => `\`${field}\` is not what was signed.`);
  if (!isSigned(digests, signature, publicKey)) what.push('The signature does not fit the digests and the public key.');
  // also what a reader of JSON does not see: order, spaces, unknown or repeated fields
  if (what.length === 0 && receiptText(signed) !== text) what.push('The text is not as Stopgate writes it.');
  return what.length === 0 ? { type: 'valid', signed } : changed(...what);
}

function isSigned(digests: SignedReceipt['digests'], signature: string, publicKey: string): boolean {
  try {
    const bytes = Buffer.from(signature, 'base64');
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    // Base64 has several texts for the same bytes
    if (bytes.toString('base64') !== signature || publicKeyOf(key) !== publicKey) return false;
    return key.asymmetricKeyType === 'ed25519' && verify(null, signedBytes(digests), key, bytes);
  } catch {
    return false;
  }
}
