import { createHash } from 'node:crypto';
import path from 'node:path';
import { failureSetRecord } from '../../schemas/baseline.ts';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { type TreeFacts, treeFacts } from '../../schemas/ledger.ts';
import { type SessionChecks, sessionRecord } from '../../schemas/sessionChecks.ts';
import { ownValue } from '../../system/ownValue.ts';
import { readSealedFile, writeSealedFile } from '../../system/sealedFile.ts';
import { type Check, type FailedCheck, NEW_SESSION } from './types.ts';

/**
 * What the checks gate remembers between stops, in the person's home: per folder which check passed on which files, and
 * per session how its stops went, in a file of its own, so that sessions in one folder do not share a count.
 */
export interface ChecksMemory {
  hasPassed(check: Check, digest: string): Promise<boolean>;
  rememberPassed(checks: readonly Check[], digest: string): Promise<void>;
  /** The failure of the check on these files in one of these `runs` of other sessions. */
  failureOf(check: Check, digest: string, runs: ReadonlySet<string>): Promise<KnownFailure | null>;
  /** For sessions that wait for this run; a later stop runs the check again. */
  rememberFailed(failures: readonly FailedCheck[], digest: string, run: string): Promise<void>;
  /** What is on record about the files in a state that was seen before. */
  treeFacts(id: string): Promise<TreeFacts | null>;
  rememberTreeFacts(id: string, facts: TreeFacts): Promise<void>;
  session(): Promise<SessionChecks>;
  rememberSession(session: SessionChecks): Promise<void>;
}

type KnownFailure = Pick<FailedCheck, 'how' | 'output' | 'found'>;

/** The last states in which a check passed: enough for switching between branches. */
const PASSES_KEPT = 8;

export interface MemoryPlace {
  readonly stopgateHome: string;
  readonly folder: string;
  readonly sessionId: string;
  /** The digest of the checks' environment: a pass in another one does not count. */
  readonly environment?: string;
}

export function checksMemory({ stopgateHome, folder, sessionId, environment = '' }: MemoryPlace): ChecksMemory {
  const directory = gatesFolder(stopgateHome, folder);
  const passedFile = path.join(directory, 'passed.json');
  const failedFile = path.join(directory, 'failed.json');
  const treesFile = path.join(directory, 'trees.json');
  const sessionFile = path.join(directory, `session-${hash(sessionId)}.json`);
  // a pass that an agent could write down would be as good as one
  const write = (file: string, value: unknown) => writeSealedFile(stopgateHome, file, JSON.stringify(value));
  const read = (file: string) => readObject(stopgateHome, file);
  /** The command as it would run: an edited check has to pass again. */
  const keyOf = ({ file, args, cwd, timeoutMs }: Check) =>
    hash(JSON.stringify([file, args, cwd, timeoutMs, environment]));
  const trees = async () => (await read(treesFile)) as Record<string, unknown>;
  const passed = async () => (await read(passedFile)) as Record<string, unknown>;
  return {
    hasPassed: async (check, digest) => digestsOf((await passed())[keyOf(check)]).includes(digest),
    async rememberPassed(checks, digest) {
      const known = await passed();
      const added = checks.map((check) => {
        const others = digestsOf(known[keyOf(check)]).filter((one) => one !== digest);
        return [keyOf(check), [digest, ...others].slice(0, PASSES_KEPT)];
      });
      if (added.length > 0) await write(passedFile, { ...known, ...Object.fromEntries(added) });
    },
    async failureOf(check, digest, runs) {
      const known = ((await read(failedFile)) as Record<string, Partial<Record<string, unknown>>>)[keyOf(check)];
      if (known?.digest !== digest || typeof known.run !== 'string' || !runs.has(known.run)) return null;
      const { how, output } = known;
      const found = failureSetRecord.safeParse(known.found).data;
      return typeof how === 'string' && typeof output === 'string' ? { how, output, ...(found && { found }) } : null;
    },
    async rememberFailed(failures, digest, run) {
      const entries = failures.map(({ check, how, output, found }) => [
        keyOf(check),
        { digest, run, how, output, found },
      ]);
      if (entries.length > 0) await write(failedFile, Object.fromEntries(entries));
    },
    treeFacts: async (id) => treeFacts.safeParse(ownValue(await trees(), hash(id))).data ?? null,
    async rememberTreeFacts(id, facts) {
      const others = Object.entries(await trees()).filter(([key]) => key !== hash(id));
      await write(treesFile, Object.fromEntries([[hash(id), facts], ...others.slice(0, PASSES_KEPT - 1)]));
    },
    session: async () => sessionOf(await read(sessionFile)),
    rememberSession: (session) => write(sessionFile, session),
  };
}

/** Where the gate's files about a folder are, outside it. */
export const gatesFolder = (stopgateHome: string, folder: string): string =>
  path.join(stopgateHome, 'gates', hash(folder));

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);

const digestsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Empty for a missing, damaged or forged file, which costs one more run of the checks. */
async function readObject(stopgateHome: string, file: string): Promise<object> {
  const read = await readSealedFile(stopgateHome, file);
  const value = read.type === 'sealed' ? jsonValue(read.text) : undefined;
  return isObject(value) ? value : {};
}

/** A damaged field counts as a new session's. */
const sessionOf = (value: object): SessionChecks => ({ ...NEW_SESSION, ...sessionRecord.parse(value) });
