import path from 'node:path';
import { jsonValue } from '../schemas/jsonValue.ts';
import { type GateDecision, type LedgerEntry, ledgerEntry } from '../schemas/ledger.ts';
import { textIn } from '../system/readTextFile.ts';
import { errorEnding } from './ending.ts';
import { ledgerFile, ledgerFolder, recordedEnding } from './ledger.ts';
import { listFiles } from './pruneRecords.ts';

/** Every decision about a session, oldest first. Skips lines that a full disk cut off. */
export const readSession = (stopgateHome: string, session: string): readonly LedgerEntry[] =>
  readEntries(ledgerFile(stopgateHome, session));

export interface LedgerQuery {
  /** Only files that were written since; a time in milliseconds. */
  readonly since?: number;
  readonly folder?: string | undefined;
  readonly launch?: string;
  readonly worker?: string;
}

/** The sessions that a query is about, each with all its lines; the one with the latest line last. */
export function readSessions(stopgateHome: string, query: LedgerQuery = {}): readonly (readonly LedgerEntry[])[] {
  const { since = 0, folder, launch, worker } = query;
  const isWanted = (one: LedgerEntry) =>
    (folder === undefined || one.folder === folder) &&
    (launch === undefined || one.launch === launch) &&
    (worker === undefined || one.worker === worker);
  // parsing is what costs, so the text is searched first
  const words = [folder, launch, worker].flatMap((word) => (word === undefined ? [] : [JSON.stringify(word)]));
  return listFiles(ledgerFolder(stopgateHome))
    .filter(({ writtenAt }) => writtenAt >= since)
    .flatMap(({ file }) => {
      const text = textIn(file, LARGEST_BYTES);
      const entries = words.every((word) => text.includes(word)) ? entriesIn(text) : [];
      return entries.some(isWanted) ? [entries] : [];
    });
}

/** Starts and stops, oldest first: what gates, launches and workers go by. */
export function readDecisions(stopgateHome: string, query: LedgerQuery = {}): readonly GateDecision[] {
  const { folder, launch, worker } = query;
  return readSessions(stopgateHome, query)
    .flatMap((entries) => entries.flatMap(asDecision))
    .filter((one) => folder === undefined || one.folder === folder)
    .filter((one) => launch === undefined || one.launch === launch)
    .filter((one) => worker === undefined || one.worker === worker)
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** A record without room for later stops must not let an earlier pass decide. */
function asDecision(entry: LedgerEntry): readonly GateDecision[] {
  if (entry.type === 'sessionStart' || entry.type === 'stop' || entry.type === 'run') return [entry];
  if (entry.type !== 'capped' || entry.isFull !== true) return [];
  return [{ ...entry, type: 'stop', ending: recordedEnding(errorEnding(entry.reason)), durationMs: 0 }];
}

/** The ids on record that begin with a text; the whole id alone if it is one. */
export function findSessions(stopgateHome: string, start: string): readonly string[] {
  const ids = listFiles(ledgerFolder(stopgateHome)).flatMap(({ file }) => {
    const name = path.basename(file, '.jsonl');
    return name.startsWith('.')
      ? readEntries(file)
          .slice(0, 1)
          .map(({ session }) => session)
      : [name];
  });
  return ids.includes(start) ? [start] : ids.filter((id) => start !== '' && id.startsWith(start));
}

const LARGEST_BYTES = 64_000_000;

// removed meanwhile, or never written; a pipe or a device in its place would never end
const readEntries = (file: string) => entriesIn(textIn(file, LARGEST_BYTES));

const entriesIn = (text: string): readonly LedgerEntry[] =>
  text.split('\n').flatMap((line) => {
    const read = line === '' ? undefined : ledgerEntry.safeParse(jsonValue(line));
    return read?.success ? [read.data] : [];
  });
