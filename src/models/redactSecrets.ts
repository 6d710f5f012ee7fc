/** The shapes of keys that providers hand out; some quote the key back in their error message. */
const KEY_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|xai|gsk|key)-[\w*.-]{6,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bBearer\s+[\w.~+/=-]{6,}/gi,
  // a proxy's user and password
  /(?<=:\/\/)[^\s/@]+(?=@)/g,
  /(?<=[?&](?:key|api_key|token)=)[^&\s"']+/gi,
];

/** The text without anything that looks like a key, and without the given ones whatever they look like. */
export function redactSecrets(text: string, known: readonly string[] = []): string {
  let clean = text;
  for (const secret of known) if (secret.length >= 6) clean = clean.replaceAll(secret, '[redacted]');
  for (const shape of KEY_SHAPES) clean = clean.replace(shape, '[redacted]');
  return clean;
}
