import { findHosts, namedHosts } from '../../../hosts/findHosts.ts';
import { HOST_ABILITIES } from '../../../hosts/host.ts';
import { thisWorld } from '../../../system/world.ts';
import type { Page } from '../../output/page.ts';
import { printResult } from '../../output/printResult.ts';
import { type Column, columnsText, tableOrList } from '../../output/table.ts';
import type { Flags } from '../task/taskOptions.ts';
import { gatherHost, type ListedHost } from './gatherHosts.ts';

/** `stopgate hosts [NAME…]`. */
export async function runHosts(names: readonly string[], { json }: Flags<never, 'json'>): Promise<number> {
  const world = thisWorld();
  const wanted = names.length === 0 ? null : new Set(namedHosts(names));
  const found = findHosts(world).filter(({ host }) => wanted === null || wanted.has(host));
  const hosts = await Promise.all(found.map((one) => gatherHost(one, world)));
  return printResult(json ? hosts : null, world, (page) =>
    wanted === null ? hostsText(hosts, page) : hosts.map((host) => hostText(host, page)).join('\n'),
  );
}

/** The hosts, then what each can do. */
function hostsText(hosts: readonly ListedHost[], page: Page): string {
  const notes = hosts.flatMap(({ off }) => off ?? []);
  const missing = hosts.filter(({ wired, program }) => wired.length === 0 && program !== null);
  const next =
    missing.length === 0 ? [] : [`To add Stopgate: stopgate init --host ${missing.map(({ host }) => host).join(',')}`];
  return [
    columnsText(page, COLUMNS, hosts),
    '',
    abilitiesText(hosts, page),
    ...(hosts.some(({ abilities }) => abilities.some(({ note }) => note !== null))
      ? ['* with a limit: `stopgate hosts NAME` has it']
      : []),
    ...[...notes, ...next].map((text) => `\n${page.block(text, 0)}`),
    '',
  ].join('\n');
}

const COLUMNS: readonly Column<ListedHost>[] = [
  { title: 'HOST', cell: ({ host }) => ({ text: host, style: 'bold' }) },
  { title: 'NAME', isSpare: true, cell: ({ title }) => ({ text: title }) },
  {
    title: 'VERSION',
    cell: ({ program, version }) => ({ text: program === null ? 'not found' : (version ?? 'unknown') }),
  },
  {
    title: 'STOPGATE',
    cell: ({ wired, off }) => {
      const scopes = [...new Set(wired.map(({ scope }) => scope))].join(', ');
      if (scopes === '') return { text: 'not added', style: 'dim' };
      return off === null
        ? { text: `added (${scopes})`, style: 'green' }
        : { text: `added (${scopes}), off`, style: 'yellow' };
    },
  },
];

function abilitiesText(hosts: readonly ListedHost[], page: Page): string {
  const rows = HOST_ABILITIES.map((name) => [
    { text: name },
    ...hosts.map(({ abilities }) => {
      const ability = abilities.find((one) => one.name === name);
      const word = `${ability?.can ? 'yes' : 'no'}${ability?.note === null ? '' : '*'}`;
      return { text: word, style: ability?.can ? ('green' as const) : ('yellow' as const) };
    }),
  ]);
  return tableOrList(page, ['CAN', ...hosts.map(({ host }) => host.toUpperCase())], rows);
}

/** One host with the limits of what it can. */
function hostText(host: ListedHost, page: Page): string {
  const { title, host: flag, program, version, wired, off, abilities } = host;
  const where = wired.map(({ scope, file }) => `${page.place({ file })} (${scope})`).join(', ');
  const lines = [
    page.paint('bold', title),
    page.fact('program', program === null ? 'not on the PATH' : `${program} ${version ?? '(version unknown)'}`),
    page.fact('stopgate', where === '' ? `not added; stopgate init --host ${flag}` : where),
    ...(off === null ? [] : [page.fact('off', off)]),
    '',
    ...abilities.map(({ name, can, note }) => {
      const mark = can ? page.paint('green', '✓') : page.paint('yellow', '✗');
      return `${mark} ${name}${note === null ? '' : `\n${page.block(note, 4)}`}`;
    }),
  ];
  return `${lines.join('\n')}\n`;
}
