import { wirableHosts } from '../../../src/hosts/findHosts.ts';
import { HOST_ABILITIES, type HostAbility } from '../../../src/hosts/host.ts';
import type { HostResult } from './hostResults.ts';

const BEGIN = '<!-- measured: written by STOPGATE_RECORD_HOSTS=1 npx vitest run tests/hosts -->';
const END = '<!-- end of measured -->';

/** The table of docs/hosts.md, from results of real programs; limits of an ability are below it. */
export function hostsTable(results: readonly HostResult[]): string {
  const rows = wirableHosts();
  const hostOf = ({ host }: HostResult) => rows.find(({ wiring }) => wiring.flag === host);
  const titles = results.map((one) => hostOf(one)?.title ?? one.host);
  const notes: string[] = [];
  const cell = (result: HostResult, ability: HostAbility) => {
    const note = hostOf(result)?.wiring.abilities[ability]?.note;
    if (note !== undefined) notes.push(`${hostOf(result)?.title}, ${ability}: ${note}.`);
    return `${result.can[ability] ? 'yes' : 'no'}${note === undefined ? '' : ` (${notes.length})`}`;
  };
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(['', ...titles]),
    line(['---', ...titles.map(() => '---')]),
    line(['versions', ...results.map(({ versions }) => versions.join(', '))]),
    line(['measured', ...results.map(({ date }) => date)]),
    ...HOST_ABILITIES.map((ability) => line([ability, ...results.map((result) => cell(result, ability))])),
    '',
    ...notes.map((note, at) => `${at + 1}. ${note}`),
  ].join('\n');
}

/** The document with this table in its place. */
export const withTable = (text: string, table: string): string =>
  text.replace(new RegExp(`${BEGIN}[^]*${END}`), () => `${BEGIN}\n${table}\n\n${END}`);
