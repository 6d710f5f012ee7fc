import { modeLines, type RecordedModes, readModes } from './recordedModes.ts';

/** What a snapshot records besides its files. Commits are full ids; paths are as git quotes them. */
export interface SnapshotRecord {
  /** The commit that the files are compared with; undefined before the first commit. */
  readonly base: string | undefined;
  /** A commit of the index, if a staged version differs from its file. */
  readonly index?: string | undefined;
  /** The snapshot before this one at the same ref. */
  readonly previous?: string | undefined;
  /** The number of earlier snapshots at the same ref. */
  readonly earlier?: number;
  /** The machine's boot id and the milliseconds since boot: setting the clock does not change this age. */
  readonly boot?: string | undefined;
  readonly branch?: string | undefined;
  /** What the work was done for, such as `launch 1a2b3c4d`. */
  readonly from?: string | undefined;
  /** When in its run, such as `5m left`. */
  readonly stage?: string | undefined;
  readonly emptyFolders?: readonly string[];
  /** `raw`: the tree holds the bytes of the files. Undefined: it holds what `git add` stores, as in earlier versions. */
  readonly bytes?: string | undefined;
  /** Of the files that differ from the base. */
  readonly modes?: RecordedModes | undefined;
  /** Of the same files at the base, where known: what a restore wrote, for its undo. */
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
  ['stage', 'Moment'],
  ['bytes', 'Bytes'],
  ['boot', 'Boot'],
] as const;

const NO_BASE = 'none';

/** As trailers of the commit message, so that the record travels with the commit. */
export function recordTrailers(record: SnapshotRecord): string {
  const named = KEYS.flatMap(([field, key]) => (record[field] === undefined ? [] : [[key, record[field]] as const]));
  const list = (key: string, values: readonly string[] = []) => values.map((value) => [key, value] as const);
  const all = [
    ...named,
    ...list('Earlier', record.earlier ? [`${record.earlier}`] : []),
    ...list('Inside', record.inside),
    ...list('Staged', record.staged),
    ...list('Mode', record.modes && modeLines(record.modes)),
    ...list('Base-Mode', record.baseModes && modeLines(record.baseModes)),
    ...list('Empty-Folder', record.emptyFolders),
    // last: a name may end with a blank, which the end of a message would lose
    ['Base', record.base ?? NO_BASE] as const,
  ];
  return all.map(([key, value]) => `Stopgate-${key}: ${value.replaceAll(/[\r\n]+/g, ' ')}`).join('\n');
}

/** What a commit message records; undefined for a message without trailers of ours. */
export function readRecord(message: string): SnapshotRecord | undefined {
  const last = message.trimEnd().split('\n\n').at(-1) ?? '';
  const trailers = [...last.matchAll(/^Stopgate-([A-Za-z-]+): (.*)$/gm)];
  const all = (name: string) => trailers.filter(([, key]) => key === name).map(([, , value = '']) => value);
  const one = (name: string) => all(name)[0];
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
