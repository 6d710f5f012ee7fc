/** Permissions of files, in a form that is short when most are alike. */
export interface RecordedModes {
  /** Of every file that is not in `others`. */
  readonly usual: number;
  /** By quoted path. */
  readonly others: ReadonlyMap<string, number>;
}

/** Without setuid and setgid, which a restore never sets. */
const PERMISSIONS = 0o777;

export function recordModes(permissions: ReadonlyMap<string, number>): RecordedModes | undefined {
  if (permissions.size === 0) return undefined;
  const counts = new Map<number, number>();
  for (const mode of permissions.values()) counts.set(mode & PERMISSIONS, (counts.get(mode & PERMISSIONS) ?? 0) + 1);
  const [usual = 0o644] = [...counts].toSorted(([, a], [, b]) => b - a).map(([mode]) => mode);
  const others = [...permissions].map(([path, mode]) => [path, mode & PERMISSIONS] as const);
  return { usual, others: new Map(others.filter(([, mode]) => mode !== usual)) };
}

export const modeIn = (modes: RecordedModes | undefined, path: string): number | undefined =>
  modes && (modes.others.get(path) ?? modes.usual);

/** As lines: `600` for all, `755 path` for one. */
export const modeLines = ({ usual, others }: RecordedModes): readonly string[] => [
  octal(usual),
  ...[...others].map(([path, mode]) => `${octal(mode)} ${path}`),
];

export function readModes(lines: readonly string[]): RecordedModes | undefined {
  const parsed = lines.map((line) => /^([0-7]{3})(?: (.+))?$/s.exec(line));
  const usual = parsed.find((match) => match && match[2] === undefined)?.[1];
  if (usual === undefined) return undefined;
  const others = parsed.flatMap((match) => (match?.[2] ? [[match[2], mode(match[1])] as const] : []));
  return { usual: mode(usual), others: new Map(others) };
}

const octal = (value: number) => value.toString(8).padStart(3, '0');
const mode = (text = '') => Number.parseInt(text, 8);
