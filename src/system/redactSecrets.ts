/** The shapes of provider keys; some providers quote the key in an error message. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|xai|gsk|key)-[\w*.-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bBearer\s+[\w.~+/=-]{6,}/gi,
  // a proxy's user and password
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /(?<=[?&](?:key|api_key|token)=)[^&\s"']+/gi,
];

/** For text that must otherwise stay as it is, such as code. */
export function redactKnown(text: string, known: readonly string[]): string {
  let clean = text;
  for (const secret of known) if (secret.length >= 6) clean = clean.replaceAll(secret, '[redacted]');
  return clean;
}

/** Removes everything that looks like a key, and the known secrets. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let clean = redactKnown(text, known);
  for (const shape of KEY_SHAPES) clean = clean.replace(shape, '[redacted]');
  return clean;
}
