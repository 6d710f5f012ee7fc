import { modeLines, type RecordedModes, readModes } from './recordedModes.ts';

/** What a snapshot remembers beside its files. Commits are full ids; paths are as git quotes them. */
export interface SnapshotRecord {
  /** What the files are compared with; none before the first commit. */
  readonly base: string | undefined;
  /** A commit of the index, where a staged version differs from its file. */
  readonly index?: string | undefined;
  /** The snapshot before this one at the same ref. */
  readonly previous?: string | undefined;
  /** How many snapshots are before this one at the same ref. */
  readonly earlier?: number;
  /** The start of the machine, and the milliseconds since: an age that no setting of the clock changes. */
  readonly boot?: string | undefined;
  readonly branch?: string | undefined;
  /** What the work was done for, such as `launch 1a2b3c4d`. */
  readonly from?: string | undefined;
  /** When in its run, such as `5m00s left`. */
  readonly moment?: string | undefined;
  readonly emptyFolders?: readonly string[];
  /** `raw`: the tree holds the bytes of the files. None: it holds what `git add` stores, as earlier versions kept it. */
  readonly bytes?: string | undefined;
  /** Of the files that differ from the base. */
  readonly modes?: RecordedModes | undefined;
  /** Of the same files at the base, where that is known: what a restore wrote, for its undo. */
  readonly baseModes?: RecordedModes | undefined;
  /** Files whose staged version, in `index`, is neither in the base nor in the file. */
  readonly staged?: readonly string[];
  /** Repositories inside that keep their own work under the same id. */
  readonly inside?: readonly string[];
}

const KEYS = [
  ['index', 'Index'],
  ['previous', 'Previous'],
  ['branch', 'Branch'],
  ['from', 'From'],
  ['moment', 'Moment'],
  ['bytes', 'Bytes'],
  ['boot', 'Boot'],
] as const;

const NO_BASE = 'none';

/** As trailers: a commit message is the one place that travels with the commit. */
export function recordTrailers(record: SnapshotRecord): string {
  const named = KEYS.flatMap(([field, key]) => (record[field] === undefined ? [] : [[key, record[field]] as const]));
  const folders = (record.emptyFolders ?? []).map((path) => ['Empty-Folder', path] as const);
  // the base comes last: a name may end with a blank, which the end of a message would lose
  const inside = (record.inside ?? []).map((path) => ['Inside', path] as const);
  const earlier = record.earlier ? [['Earlier', `${record.earlier}`] as const] : [];
  const staged = (record.staged ?? []).map((path) => ['Staged', path] as const);
  const modes = (record.modes ? modeLines(record.modes) : []).map((line) => ['Mode', line] as const);
  const baseModes = (record.baseModes ? modeLines(record.baseModes) : []).map((line) => ['Base-Mode', line] as const);
  const lists = [...inside, ...staged, ...modes, ...baseModes, ...folders];
  const all = [...named, ...earlier, ...lists, ['Base', record.base ?? NO_BASE] as const];
  return all.map(([key, value]) => `Stopgate-${key}: ${value.replaceAll(/[\r\n]+/g, ' ')}`).join('\n');
}

/** What a commit message records; undefined for a message without trailers of ours. */
export function readRecord(message: string): SnapshotRecord | undefined {
  const last = message.trimEnd().split('\n\n').at(-1) ?? '';
  const trailers = [...last.matchAll(/^Stopgate-([A-Za-z-]+): (.*)$/gm)].map(([, key = '', value = '']) => ({
    key,
    value,
  }));
  const one = (name: string) => trailers.find(({ key }) => key === name)?.value;
  const all = (name: string) => trailers.filter(({ key }) => key === name).map(({ value }) => value);
  const base = one('Base');
  if (base === undefined) return undefined;
  return {
    ...Object.fromEntries(KEYS.map(([field, key]) => [field, one(key)])),
    base: base === NO_BASE ? undefined : base,
    earlier: Number(one('Earlier') ?? 0) || 0,
    emptyFolders: all('Empty-Folder'),
    staged: all('Staged'),
    modes: readModes(all('Mode')),
    baseModes: readModes(all('Base-Mode')),
    inside: all('Inside'),
  };
}
