import type { Tables } from './tables.ts';

const PUT = 'INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
const READ = 'SELECT value FROM settings WHERE name = ?';

/** What belongs to the store and not to one of its machines; moved with it. */
export function setting(tables: Tables, name: string): string | undefined {
  return tables.get<{ value: string }>(READ, name)?.value;
}

export function putSetting(tables: Tables, name: string, value: string): void {
  tables.run(PUT, name, value);
}
