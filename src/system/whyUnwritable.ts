import path from 'node:path';

const ADVICE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['EACCES', 'EPERM', 'EROFS'].map((code) => [code, 'may not be written; change its permissions']),
  ),
  ...Object.fromEntries(
    ['ENOSPC', 'EDQUOT'].map((code) => [code, 'cannot be written because the disk is full; free some space']),
  ),
};

/** A sentence for an error of the file system in Stopgate's own folder; null for any other error, which is a bug. */
export function whyUnwritable(error: unknown, stopgateHome: string): string | null {
  if (!(error instanceof Error)) return null;
  const { code = '', path: place } = error as NodeJS.ErrnoException;
  const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined;
  const isOurs = place !== undefined && !path.relative(stopgateHome, place).startsWith('..');
  return advice !== undefined && isOurs ? `${place} ${advice}, or set STOPGATE_HOME.` : null;
}
