import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { wirableHosts } from '../../src/hosts/findHosts.ts';
import { HOST_ABILITIES } from '../../src/hosts/host.ts';
import { keptResults, RECORDS_HOSTS } from '../support/hosts/hostResults.ts';
import { hostsTable, withTable } from '../support/hosts/hostsTable.ts';

const DOCUMENT = path.join(import.meta.dirname, '../../docs/hosts.md');
const results = keptResults();

it.each(results)('the row of $host says what its program did', ({ host, can }) => {
  const row = wirableHosts().find(({ wiring }) => wiring.flag === host)?.wiring.abilities;
  expect(can).toEqual(
    Object.fromEntries(HOST_ABILITIES.map((ability) => [ability, row && (row[ability]?.can ?? true)])),
  );
});

it('docs/hosts.md has the measured table', () => {
  const text = readFileSync(DOCUMENT, 'utf8');
  const measured = withTable(text, hostsTable(results));
  // other files of this run may still write results: run this file once more after them
  if (RECORDS_HOSTS) writeFileSync(DOCUMENT, measured);
  else expect(text).toBe(measured);
});
