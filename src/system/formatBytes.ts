/** `13 bytes`, `1.4 kB`, `5.0 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} byte${bytes === 1 ? '' : 's'}`;
  if (bytes < 999_950) return `${(bytes / 1e3).toFixed(1)} kB`;
  return bytes < 999_950_000 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}
