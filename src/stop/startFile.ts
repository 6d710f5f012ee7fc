import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '../system/atomicFile.ts';
import type { ArmedStart } from './sinceStart.ts';

/**
 * With which checks a session began, by the session alone: when the agent deletes the configuration, its folder is no longer
 * known.
 */
const startFile = (stopgateHome: string, session: string): string => {
  // a stop without checks looks here too, and to load node:crypto takes longer than all the rest of it
  const isName = /^[\w-]{1,64}$/.test(session);
  const name = isName ? session : `.${createHash('sha256').update(session).digest('hex').slice(0, 32)}`;
  return path.join(stopgateHome, 'gates', 'starts', `${name}.json`);
};

export async function writeStart(stopgateHome: string, session: string, start: ArmedStart): Promise<void> {
  const file = startFile(stopgateHome, session);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const { file: config, checks, said } = start;
  await writeFileAtomically(file, `${JSON.stringify({ file: config, checks, said })}\n`, { mode: 0o600 });
}

/** Null when the session began without checks, or before Stopgate watched it. */
export function readStart(stopgateHome: string, session: string | null): ArmedStart | null {
  if (session === null) return null;
  try {
    const value = JSON.parse(readFileSync(startFile(stopgateHome, session), 'utf8')) as Partial<ArmedStart>;
    const { file, checks, said } = value;
    return typeof file === 'string' && Array.isArray(checks) && Array.isArray(said) ? { file, checks, said } : null;
  } catch {
    return null;
  }
}
