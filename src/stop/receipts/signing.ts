import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Receipt, type SignedReceipt, signedReceipt } from '../../schemas/receipt.ts';

const keyFile = (stopgateHome: string) => path.join(stopgateHome, 'keys', 'receipts.pem');

/** The key of this user on this machine; created on first use. */
export function localKey(stopgateHome: string): KeyObject {
  const file = keyFile(stopgateHome);
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new Error(`${file} is not a readable key (${(error as Error).message}); remove it to create a new one`);
    }
  }
  const { privateKey } = generateKeyPairSync('ed25519');
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const beside = `${file}.${process.pid}`;
  writeFileSync(beside, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  try {
    // never replaces the key of a process that was faster
    linkSync(beside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(beside, { force: true });
  }
  return createPrivateKey(readFileSync(file));
}

export const publicKeyOf = (key: KeyObject): string =>
  (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' }).toString('base64');

/** A short name of a public key. */
export const keyId = (publicKey: string): string => createHash('sha256').update(publicKey).digest('hex').slice(0, 16);

const digestsOf = (receipt: Receipt): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(receipt).map(([field, value]) => [field, digestOf(value)]));

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');

const signedBytes = (digests: Readonly<Record<string, string>>) => Buffer.from(JSON.stringify(digests));

export function signReceipt(receipt: Receipt, key: KeyObject): SignedReceipt {
  const digests = digestsOf(receipt);
  const signature = sign(null, signedBytes(digests), key).toString('base64');
  return { type: 'stopgate_receipt', receipt, digests, signature, publicKey: publicKeyOf(key) };
}

/** The one way a signed receipt is written: any other text was changed. */
export const receiptText = (signed: SignedReceipt): string => `${JSON.stringify(signed)}\n`;

export type Verified =
  | { readonly type: 'valid'; readonly signed: SignedReceipt }
  /** Sentences that name it. */
  | { readonly type: 'changed'; readonly what: readonly string[] };

export function verifyReceipt(text: string): Verified {
  const changed = (...what: readonly string[]): Verified => ({ type: 'changed', what });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return changed('It is not JSON.');
  }
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
