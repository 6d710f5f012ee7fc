import { closeSync, writeSync } from 'node:fs';
import { isTorn, openToAppend } from '../../system/lineFile.ts';
import { perBlock } from '../messageBlocks.ts';
import type { Message } from '../messages.ts';

export interface Transcript {
  readonly path: string;
  /** Written when it returns: a `kill -9` right after loses nothing. */
  append(message: Message): void;
  close(): void;
}

/** What each line contains besides the message itself. */
export interface TranscriptEnvelope {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  readonly userType: 'external';
  /** Empty outside a repository. */
  readonly gitBranch: string;
  readonly agentId?: string;
  /** The session's model, so that it is resumed with the same one. */
  readonly sessionModel?: string;
}

/**
 * Appends one JSON line per content block. Synchronous on purpose: no message is shown that is not on disk yet, and
 * a message is one `write` in append mode, so a crash leaves at most one torn line at the end, which readers skip.
 * The first failure (such as a full disk) is reported and the session continues without a transcript. `after` is the
 * message that the first one follows, when a session is resumed.
 */
export function writeTranscript(
  file: string,
  envelope: TranscriptEnvelope,
  { after, onFailure }: { readonly after?: string | undefined; readonly onFailure: (sentence: string) => void },
): Transcript {
  let parentUuid = after ?? null;
  let descriptor: number | undefined;
  let failed = false;
  const open = (): number => {
    const fd = openToAppend(file);
    if (isTorn(fd)) writeSync(fd, '\n');
    return fd;
  };
  return {
    path: file,
    append: (message) => {
      if (failed) return;
      try {
        descriptor ??= open();
        let lines = '';
        for (const part of perBlock(message)) {
          const line = { parentUuid, isSidechain: envelope.agentId !== undefined, ...envelope, ...part };
          lines += `${JSON.stringify(line)}\n`;
          parentUuid = part.uuid;
        }
        writeWhole(descriptor, Buffer.from(lines));
      } catch (error) {
        failed = true;
        onFailure(`The transcript ${file} cannot be written (${(error as Error).message}); this session is not kept.`);
      }
    },
    close: () => {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      failed = true;
    },
  };
}

/** A write may be short (a full disk, a signal): the rest is written, or the failure is thrown. */
function writeWhole(fd: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(fd, bytes, written);
}
