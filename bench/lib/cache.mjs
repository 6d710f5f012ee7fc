import { mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Where benches install and build; never inside the product. */
export function cacheFolder(...names) {
  const root = process.env.STOPGATE_BENCH_CACHE || path.join(os.homedir(), '.cache', 'stopgate-bench');
  const folder = path.join(root, ...names);
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const REPOSITORY = path.join(import.meta.dirname, '..', '..');
