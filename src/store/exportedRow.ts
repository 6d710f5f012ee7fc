/** The tables in the order in which rows can refer to earlier ones. */
export const EXPORTED_TABLES = [
  'meta',
  'queues',
  'accounts',
  'workers',
  'tasks',
  'bodies',
  'dependencies',
  'attempts',
  'leaders',
  'launches',
  'events',
] as const;

/** One row as both stores name its columns, for `store move` only. */
export interface ExportedRow {
  readonly table: (typeof EXPORTED_TABLES)[number];
  readonly values: Readonly<Record<string, string | number | null>>;
}
