import { closeSync, fstatSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { EntryOf, LedgerEntry } from '../schemas/ledger.ts';
import { wallNow } from '../system/clock.ts';
import { folderOrItsPlace } from '../system/currentFolder.ts';
import { isTorn, openToAppend } from '../system/lineFile.ts';
import { MARKS } from '../system/marks.ts';
import { perObject } from '../system/perObject.ts';
import { readTextFileSync } from '../system/readTextFile.ts';
import { redactSecrets } from '../system/redactSecrets.ts';
import { secretValues } from '../system/secretPolicy.ts';
import { oneLine } from '../system/sentence.ts';
import { findConfig } from './checks/findConfig.ts';
import type { GateEnding } from './ending.ts';
import { type Payload, sessionIdOf } from './payload.ts';
import { pruneRecords } from './pruneRecords.ts';
import { recordFile } from './startFile.ts';
import { WORKER } from './worker/workerIdentity.ts';
import type { GateWorld } from './world.ts';

/** Outside every repository, where an agent would edit it. One file per session, so that it is found again by its id. */
export const ledgerFolder = (stopgateHome: string): string => path.join(stopgateHome, 'ledger');
export const receiptsFolder = (stopgateHome: string): string => path.join(stopgateHome, 'receipts');
const recordFolders = (stopgateHome: string) => [ledgerFolder(stopgateHome), receiptsFolder(stopgateHome)];
export const ledgerFile = (stopgateHome: string, session: string): string =>
  recordFile(ledgerFolder(stopgateHome), session, '.jsonl');

/** Hooks may answer at every tool call. What decides how a session ended has room left after them. */
const MOST_BYTES: Readonly<Record<LedgerEntry['type'], number>> = {
  ...{ hook: 1_000_000, budget: 1_000_000 },
  ...{
    sessionStart: 16_000_000,
    stop: 16_000_000,
    run: 16_000_000,
    waiver: 16_000_000,
    end: 16_000_000,
    spend: 16_000_000,
  },
  capped: Number.POSITIVE_INFINITY,
};

/** The session that a line is about. */
export type LedgerSubject = Pick<LedgerEntry, 'session' | 'folder' | 'agent' | 'hostPid' | 'launch' | 'worker'>;
type Own<Entry> = Entry extends unknown ? Omit<Entry, keyof LedgerSubject | 'at'> : never;
/** What a kind of line has besides its subject and time. */
export type NewEntry = Own<LedgerEntry>;

export interface Recording {
  readonly stopgateHome: string;
  readonly clock: GateWorld['clock'];
  readonly subject: LedgerSubject;
}

type Recorder = Pick<GateWorld, 'env' | 'clock' | 'stopgateHome' | 'hostPid' | 'definition'> & {
  readonly asker: { readonly name: string };
};

const cappedFiles = new Set<string>();

/**
 * Appends one decision. Each line is one `write` at the end of the file, so lines of several processes do not mix, and a line
 * that was written survives the end of its process. Returns a sentence when it cannot be written; the decision stands anyway.
 */
export function recordEntry(entry: NewEntry, { stopgateHome, clock, subject }: Recording): string | null {
  // an event that names no session is in the log of hooks; here all of them would look like one session
  if (subject.session === '') return null;
  const file = ledgerFile(stopgateHome, subject.session);
  const line = { at: new Date(wallNow(clock)).toISOString(), ...subjectFrom(subject), ...entry };
  try {
    const isWritten = append(file, line, MOST_BYTES[entry.type]);
    if (entry.type === 'sessionStart') pruneRecords(recordFolders(stopgateHome), wallNow(clock));
    if (isWritten) return null;
    const isFull = entry.type in DECISIVE;
    const reason = `the record of this session has reached ${MOST_BYTES[entry.type] / 1e6} MB; later ${isFull ? 'decisions' : 'answers of hooks and budgets'} are not recorded`;
    if (!cappedFiles.has(`${file} ${isFull}`)) {
      append(file, { ...line, ...cappedEntry(reason, isFull) }, Number.POSITIVE_INFINITY);
      cappedFiles.add(`${file} ${isFull}`);
    }
    return isFull ? `Stopgate: ${reason} (${file}).` : null;
  } catch (error) {
    return `Stopgate: the decision could not be recorded in ${file} (${(error as Error).message}).`;
  }
}

const DECISIVE: { readonly [Type in LedgerEntry['type']]?: true } = {
  sessionStart: true,
  stop: true,
  run: true,
  end: true,
};

const cappedEntry = (reason: string, isFull: boolean): Own<EntryOf<'capped'>> => ({ type: 'capped', reason, isFull });

/** False when the file is too large. */
function append(file: string, line: object, mostBytes: number): boolean {
  const descriptor = openToAppend(file);
  try {
    const { size } = fstatSync(descriptor);
    if (size > mostBytes) return false;
    const bytes = Buffer.from(`${isTorn(descriptor) ? '\n' : ''}${JSON.stringify(line)}\n`);
    const written = writeSync(descriptor, bytes);
    if (written < bytes.length) throw new Error('the disk is full');
    return true;
  } finally {
    closeSync(descriptor);
  }
}

/** Whether the ledger has it that a session began with checks; by its text, since a stop without checks asks this too. */
export function beganArmed(stopgateHome: string, session: string | null): boolean {
  if (session === null || session === '') return false;
  const read = readTextFileSync(ledgerFile(stopgateHome, session), 64_000_000);
  return read.type === 'read' && /^\{[^\n]*"type":"sessionStart"[^\n]*"armed":true/m.test(read.text);
}

/** The session of a host's event. */
export function subjectOf(payload: Payload, folder: string, { env, hostPid, asker }: Recorder): LedgerSubject {
  const session = sessionIdOf(payload) ?? '';
  const [launch, worker] = [env[MARKS.launch] || null, env[WORKER] || null];
  return { session, folder, agent: asker.name, hostPid, launch, worker };
}

/** The same session as another line. */
export const subjectFrom = ({ session, folder, agent, hostPid, launch, worker }: LedgerSubject): LedgerSubject => ({
  ...{ session, folder, agent, hostPid, launch, worker },
});

/** The folder of an event: that of the configuration, else the project's root, because `cwd` follows the agent around. */
export function folderOf({ cwd }: Payload, env: GateWorld['env'], definition?: GateWorld['definition']): string {
  if (definition !== undefined) return path.dirname(definition.file);
  const root =
    env.CLAUDE_PROJECT_DIR || (typeof cwd === 'string' && path.isAbsolute(cwd) ? cwd : folderOrItsPlace(env));
  const config = findConfig(root);
  return config === null ? root : path.dirname(config);
}

interface GateEntry {
  readonly entry: NewEntry;
  readonly payload: Payload;
  /** Of the configuration; that of the event by default. */
  readonly folder?: string;
}

/** The same for a gate; returns notes for people. */
export function recordDecision({ entry, payload, ...more }: GateEntry, world: Recorder): readonly string[] {
  const folder = more.folder ?? folderOf(payload, world.env, world.definition);
  const failure = recordEntry(entry, { ...world, subject: subjectOf(payload, folder, world) });
  return failure === null ? [] : [failure];
}

/** How a run ended that did not just complete. */
export const runEntry = (ending: GateEnding): NewEntry => ({
  type: 'run',
  ending: recordedEnding(ending),
  durationMs: 0,
});

/** As a line has it. */
export const recordedEnding = ({ left, ...ending }: GateEnding): EntryOf<'stop'>['ending'] => ({
  ...ending,
  ...(left && { left: left.map((one) => ({ ...one })) }),
  checks: ending.checks.map((one) => ({ ...one })),
});

const LONGEST_CLAIM = 1_000;
const LONGEST_REASON = 300;

/** What an agent said it did; cut, and without secrets. */
export function claimOf({ last_assistant_message: said }: Payload, env: GateWorld['env']): { claim?: string } {
  if (typeof said !== 'string' || said.trim() === '') return {};
  return { claim: cleaned(said.slice(0, 10 * LONGEST_CLAIM), LONGEST_CLAIM, env) };
}

/** The first line of a reason: after it comes output, which may contain anything. */
export const briefReason = (reason: string, env: GateWorld['env']): string =>
  cleaned(reason.trim().split('\n', 1)[0] ?? '', LONGEST_REASON, env);

/** Finding them takes longer than writing a line. */
const secretsOf = perObject((env: GateWorld['env']) => secretValues(env));

/** Without what looks like a secret, and without the secrets of this environment. */
export const redacted = (words: string, env: GateWorld['env']): string =>
  words === '' ? '' : redactSecrets(words, secretsOf(env));

const cleaned = (words: string, length: number, env: GateWorld['env']) => oneLine(redacted(words, env), length);
