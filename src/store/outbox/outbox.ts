import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { attempt } from '../../system/attempt.ts';
import { writeSealedFile } from '../../system/sealedFile.ts';
import { createDurably, isThere, keptFileName, readFolder, readOwn, removeFile, setAside } from './keptFiles.ts';
import type { KeptSettlement } from './settlement.ts';

/** The settlements of this machine that their stores do not have yet. */
export interface Outbox {
  /** Durable when it resolves. The first one of an attempt counts: it is returned. */
  keep(settlement: KeptSettlement): Promise<KeptSettlement>;
  of(attemptId: string): Promise<KeptSettlement | null>;
  /** Oldest first, of all stores. */
  list(): Promise<readonly KeptSettlement[]>;
  /** What stores refused, oldest first. */
  refused(): Promise<readonly KeptSettlement[]>;
  /** The store has it. */
  forget(attemptId: string): void;
  /** No person needs it any more. Returns whether it is gone. */
  forgetRefused(attemptId: string): boolean;
  /** The store refused it: it stays here for people. */
  refuse(settlement: KeptSettlement, why: string): Promise<void>;
}

export const outboxFolder = (stopgateHome: string): string => path.join(stopgateHome, 'outbox');

const REFUSED = 'superseded';
const MOST_REFUSED = 200;

/**
 * `onNotice` is called when a settlement cannot be written, which is then held by this process alone, and for files that are no
 * settlement or have the name of another one.
 */
export function openOutbox(stopgateHome: string, onNotice: (sentence: string) => void = () => {}): Outbox {
  const folder = outboxFolder(stopgateHome);
  const unwritten = new Map<string, KeptSettlement>();
  const fileOf = (id: string, ...parts: string[]) => path.join(folder, ...parts, keptFileName(id));
  const of = async (id: string) => unwritten.get(id) ?? (await readOwn(stopgateHome, fileOf(id)));
  const reported = new Set<string>();
  const moveAside = async (file: string) => {
    const aside = await setAside(stopgateHome, file);
    if (aside !== null) onNotice(`${file} is not a settlement of that name and was moved to ${aside}; look at it.`);
  };
  const reportOnce = (key: string, sentence: string) => {
    if (!reported.has(key)) onNotice(sentence);
    reported.add(key);
  };
  const reportUnreadable = (file: string) =>
    reportOnce(file, `${file} is not a settlement that Stopgate wrote, so it is not delivered; look at it.`);
  return {
    of,
    keep: async (settlement) => {
      const { attemptId } = settlement.request.lease;
      const before = await of(attemptId);
      if (before !== null) return before;
      const file = fileOf(attemptId);
      try {
        if (isThere(file)) await moveAside(file);
        await createDurably(stopgateHome, file, JSON.stringify(settlement));
        const written = await readOwn(stopgateHome, file);
        if (written !== null) return written;
        throw new Error(`${file} is not what was written`);
      } catch (error) {
        // another process was faster
        const other = await of(attemptId);
        if (other !== null) return other;
        unwritten.set(attemptId, settlement);
        const what = `the settlement of task ${settlement.request.lease.taskId} ${notWritten(folder, error)}`;
        onNotice(`${what}; only this process has it`);
      }
      return settlement;
    },
    list: async () => {
      const { kept, misnamed, unreadable } = await readFolder(stopgateHome, folder);
      for (const file of misnamed) await moveAside(file);
      unreadable.forEach(reportUnreadable);
      return [...kept, ...unwritten.values()].toSorted((one, other) => one.keptAt - other.keptAt);
    },
    refused: async () => (await readFolder(stopgateHome, path.join(folder, REFUSED))).kept,
    forget: (id) => {
      unwritten.delete(id);
      removeFile(fileOf(id));
    },
    forgetRefused: (id) => {
      removeFile(fileOf(id, REFUSED));
      return !isThere(fileOf(id, REFUSED));
    },
    refuse: async (settlement, why) => {
      const { lease } = settlement.request;
      const text = JSON.stringify({ ...settlement, refused: why });
      try {
        await writeSealedFile(stopgateHome, fileOf(lease.attemptId, REFUSED), text);
      } catch (error) {
        // it stays where it is: it is refused again at the next delivery, and written then
        reportOnce(lease.attemptId, `the refused settlement of task ${lease.taskId} ${notWritten(folder, error)}`);
        return;
      }
      unwritten.delete(lease.attemptId);
      removeFile(fileOf(lease.attemptId));
      dropOldest(path.join(folder, REFUSED));
    },
  };
}

const notWritten = (folder: string, error: unknown) =>
  `cannot be written to ${folder} (${error instanceof Error ? error.message : String(error)})`;

/** Names of attempts begin with their time. */
function dropOldest(folder: string): void {
  const names = attempt(() => readdirSync(folder), []).toSorted();
  for (const name of names.slice(0, Math.max(0, names.length - MOST_REFUSED))) {
    rmSync(path.join(folder, name), { force: true });
  }
}
