import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Receipt, type SignedReceipt, signedReceipt } from '../../schemas/receipt.ts';
import { createOnce } from '../../system/createOnce.ts';

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
  createOnce(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return createPrivateKey(readFileSync(file));
}

export const publicKeyOf = (key: KeyObject): string =>
  (key.type === 'public' ? key : createPublicKey(key)).export({ type: 'spki', format: 'der' }).toString('base64');

/** A short name of a public key. */
export const keyId = (publicKey: string): string => hash('sha256', publicKey).slice(0, 16);

export const digestsOf = (receipt: Receipt): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(receipt).map(([field, value]) => [field, digestOf(value)]));

const digestOf = (value: unknown) => hash('sha256', JSON.stringify(value));

export const signedBytes = (digests: Readonly<Record<string, string>>) => Buffer.from(JSON.stringify(digests));

export function signReceipt(given: Receipt, key: KeyObject): SignedReceipt {
  // the order of fields is part of what is signed: it must be the one in which a receipt is read back
  const receipt = signedReceipt.shape.receipt.parse(given);
  const digests = digestsOf(receipt);
  const signature = sign(null, signedBytes(digests), key).toString('base64');
  return { type: 'stopgate_receipt', receipt, digests, signature, publicKey: publicKeyOf(key) };
}

/** The one way a signed receipt is written: any other text was changed. */
export const receiptText = (signed: SignedReceipt): string => `${JSON.stringify(signed)}\n`;
