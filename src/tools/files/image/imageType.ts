/** The media type of an image that models can see, told by its first bytes and not by its name. */
export function imageType(bytes: Buffer): string | null {
  const startsWith = (...prefix: number[]) => prefix.every((byte, i) => bytes[i] === byte);
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (startsWith(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'image/png';
  if (startsWith(0xff, 0xd8, 0xff)) return 'image/jpeg';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'image/gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'image/webp';
  return null;
}
