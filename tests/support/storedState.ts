import { existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestProject } from './project.ts';

/**
 * The state of a task in the store that nobody needs to name, for tests that wait for it: asking the command again and again keeps a
 * processor busy with its starts.
 */
export function storedState({ home }: TestProject, id: string): string | undefined {
  const file = path.join(home, '.stopgate/stopgate.db');
  if (!existsSync(file)) return undefined;
  using database = new DatabaseSync(file, { readOnly: true, timeout: 1_000 });
  return database.prepare('SELECT state FROM tasks WHERE id = ?').get(id)?.state?.toString();
}
