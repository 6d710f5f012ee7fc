import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostAbility } from '../../../src/hosts/host.ts';

const FOLDER = path.join(import.meta.dirname, 'results');

/** Whether the results of this run are kept, and the table of docs/hosts.md is written anew. */
export const RECORDS_HOSTS = process.env.STOPGATE_RECORD_HOSTS === '1';

/** What a host's real program did. */
export interface HostResult {
  readonly host: string;
  /** The versions that did the same. */
  readonly versions: readonly string[];
  readonly date: string;
  readonly can: Readonly<Record<HostAbility, boolean>>;
}

export function keepResult({ host, versions, can }: Omit<HostResult, 'date'>): void {
  mkdirSync(FOLDER, { recursive: true });
  const result = { host, versions, date: new Date().toISOString().slice(0, 10), can };
  // as the formatter writes it
  const text = JSON.stringify(result, null, 2).replace(
    /\[\s+([^\]]*?)\s+\]/,
    (_list, inner: string) => `[${inner.replaceAll(/\s+/g, ' ')}]`,
  );
  writeFileSync(path.join(FOLDER, `${host}.json`), `${text}\n`);
}

export const keptResults = (): readonly HostResult[] =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .sort()
    .map((name) => JSON.parse(readFileSync(path.join(FOLDER, name), 'utf8')));
