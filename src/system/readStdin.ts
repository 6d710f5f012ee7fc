import { fstatSync } from 'node:fs';
import { attempt } from './attempt.ts';
import { readWhole } from './readWhole.ts';
import { UserError } from './userError.ts';

/** A supervisor may leave stdin open and silent; with a prompt there is no need to wait for it. */
const FIRST_BYTE_MS = 3_000;

export interface StdinLimits {
  readonly mostMegabytes?: number;
  /** What to do with more than that. */
  readonly advice?: string;
  /** Called with the bytes read so far. */
  readonly onBytes?: (bytes: number) => void;
}

/** All of stdin as text, up to a limit. */
export async function readAllOfStdin(limits: StdinLimits = {}): Promise<string> {
  const { mostMegabytes = 10, advice = 'put it in a file and name the file', onBytes } = limits;
  const tooLong = () => new UserError(`More than ${mostMegabytes} MB came on stdin; ${advice}.`);
  return readWhole(process.stdin, { maxBytes: mostMegabytes * 1_000_000, tooLong, onBytes });
}

/** The piped input, if any; a terminal is never read. */
export async function readStdin(hasPrompt: boolean, warn: (sentence: string) => void): Promise<string | undefined> {
  if (!isStdinPiped()) return undefined;
  if (hasPrompt && !(await firstByteCame())) {
    warn('Nothing came on stdin for 3s, so it is not read; redirect it from /dev/null to start without this wait.');
    return undefined;
  }
  return readAllOfStdin();
}

function firstByteCame(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), FIRST_BYTE_MS);
  process.stdin.once('readable', () => resolve(true));
  process.stdin.once('end', () => resolve(true));
  return promise.finally(() => clearTimeout(timer));
}

/** Whether stdin is a pipe, a socket or a file. A look at `process.stdin` would load streams for a terminal or /dev/null. */
export function isStdinPiped(): boolean {
  // it may have been closed before we were started
  const facts = attempt(() => fstatSync(0), null);
  return facts !== null && (facts.isFIFO() || facts.isSocket() || facts.isFile());
}
