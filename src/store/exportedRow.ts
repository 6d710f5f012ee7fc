/** In an order in which rows only refer to earlier ones. */
export const EXPORTED_TABLES = [
  'meta',
  'queues',
  'accounts',
  'settings',
  'schedules',
  'workers',
  'tasks',
  'bodies',
  'dependencies',
  'attempts',
  'reviews',
  'review_limits',
  'leaders',
  'launches',
  'events',
] as const;

/** One row with the column names of both stores, for `store move`. */
export interface ExportedRow {
  readonly table: (typeof EXPORTED_TABLES)[number];
  readonly values: Readonly<Record<string, string | number | null>>;
}
