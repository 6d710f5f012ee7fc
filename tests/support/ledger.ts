import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Every line of the ledger, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export function ledgerLines(stopgateHome: string): any[] {
  const folder = path.join(stopgateHome, 'ledger');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : [];
  const lines = names.flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n'));
  return lines.map((line) => JSON.parse(line)).toSorted((a, b) => (a.at < b.at ? -1 : 1));
}

/** The starts and stops among them, as gates record them. */
export const gateLines = (stopgateHome: string) =>
  ledgerLines(stopgateHome).filter(({ type }) => type === 'sessionStart' || type === 'stop');
