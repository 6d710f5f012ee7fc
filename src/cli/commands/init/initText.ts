import type { Page } from '../../output/page.ts';
import { type Column, columnsText } from '../../output/table.ts';
import { unifiedDiff } from '../../output/unifiedDiff.ts';
import { oneLine } from '../../output/visibleText.ts';
import type { HostDone, InitDone } from './carryOutInit.ts';
import { changeDiff } from './changeDiff.ts';
import type { InitChoice } from './chooseInit.ts';
import { CONFIG_NAME, configFile, configText } from './configFile.ts';
import type { InitFacts } from './gatherInit.ts';

export interface InitReport {
  readonly facts: InitFacts;
  readonly choice: InitChoice;
  readonly done: InitDone;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** Of several hosts: one row for each, and their notes only where they are asked for. */
  readonly isShort: boolean;
  /** The events of each feature, by the name of the host. */
  readonly events: Readonly<Record<string, readonly FeatureEvents[]>>;
}

interface FeatureEvents {
  readonly feature: string;
  readonly events: readonly string[];
}

const EXAMPLE = '{ "checks": [{ "name": "test", "command": "make test", "timeout": "10m" }] }';

export function initText(report: InitReport, page: Page): string {
  const { done, dryRun, warnings, isShort } = report;
  const notes = [
    ...[CONFIG[done.config](report, page), TRUST[done.trust](report, page)].filter((text) => text !== ''),
    ...(isShort ? [] : done.hosts.flatMap((host) => host.notes)),
  ];
  const parts = [
    ...(dryRun ? [diffs(report, page)] : []),
    ...(isShort ? [`${columnsText(page, columnsOf(report, page), done.hosts)}\n`] : []),
    ...(isShort ? [] : done.hosts).flatMap((host) => [
      ...(dryRun ? [] : [wrote(host, page)]),
      ...(report.events[host.host.name] ?? []).map(
        ({ feature, events }) => `  ${feature.padEnd(11)}${page.paint('dim', events.join(', '))}\n`,
      ),
    ]),
    ...(notes.length + warnings.length > 0 ? ['\n'] : []),
    ...notes.map(paragraph(page)),
    ...warnings.map((warning) => page.paint('yellow', paragraph(page)(`Warning: ${warning}`))),
    ...(isShort
      ? [paragraph(page)('`stopgate init --verbose` also shows the events and the notes of each agent.')]
      : []),
    dryRun ? '\nNothing was written.\n' : `\n${paragraph(page)(ending(report))}`,
  ];
  return parts.join('');
}

const columnsOf = ({ choice, dryRun }: InitReport, page: Page): readonly Column<HostDone>[] => [
  { title: 'AGENT', cell: ({ host }) => ({ text: host.title, style: 'bold' }) },
  {
    title: 'HOOKS',
    cell: ({ files, off }) => {
      if (off !== null) return { text: 'will not run', style: 'yellow' };
      if (files.every(({ changed }) => !changed)) return { text: 'were there', style: 'dim' };
      return { text: dryRun ? 'would be added' : `added: ${choice.features.join(', ')}`, style: 'green' };
    },
  },
  { title: 'SETTINGS', cell: ({ files }) => ({ text: files.map((one) => page.place(one)).join(', ') }) },
];

const paragraph = (page: Page) => (text: string) => `${page.block(text, 0)}\n`;

function wrote({ host, files, off }: HostDone, page: Page): string {
  const place = (file: string) => page.paint('bold', page.place({ file }));
  const changed = files.filter((one) => one.changed);
  if (changed.length === 0) return `${files.map(({ file }) => place(file)).join(' and ')} already has these hooks:\n`;
  const wrote = changed.map(
    ({ file, before }) => `${before.type === 'absent' ? 'Created' : 'Updated'} ${place(file)}.`,
  );
  return `${wrote.join(' ')} ${off === null ? `${host.title} now runs` : 'It has these hooks, which will not run'}:\n`;
}

function diffs({ facts, choice, done }: InitReport, page: Page): string {
  const settings = done.hosts
    .flatMap(({ files }) => files)
    .map((change) => changeDiff(change, page.paint) || `${page.place(change)} would not change.\n`)
    .join('');
  if (done.config !== 'written' || !facts.folder) return `${settings}\n`;
  const config = { name: `${facts.folder.path}/${CONFIG_NAME}`, before: null, after: configText(choice.checks) };
  return `${settings}${unifiedDiff(config, page.paint)}\n`;
}

type Words<Key extends string> = Readonly<Record<Key, (report: InitReport, page: Page) => string>>;

const CONFIG: Words<InitDone['config']> = {
  written: ({ choice, dryRun }) => {
    const checks = choice.checks.map(({ name, command }) => (name === command ? name : `${name} (${command})`));
    return `${dryRun ? 'Would write' : 'Wrote'} ${CONFIG_NAME} with these checks: ${oneLine(checks.join(', '))}.`;
  },
  there: () => `${CONFIG_NAME} already exists and was not changed.`,
  above: ({ facts }, page) =>
    `${page.place({ file: configFile(facts.folder?.path ?? '') })} also applies to this folder, so no ${CONFIG_NAME} was written here: it would replace that one.`,
  left: () => `No ${CONFIG_NAME} was written, so nothing is checked. Example: ${EXAMPLE}`,
  unknown: () =>
    `No test command was found here, so nothing is checked until you write ${CONFIG_NAME}, for example: ${EXAMPLE}`,
  none: () => '',
};

const TRUST: Words<InitDone['trust']> = {
  recorded: ({ facts, dryRun }) =>
    `${facts.folder?.path} ${dryRun ? 'would be' : 'is now'} trusted, because Stopgate runs its checks; \`stopgate trust --remove\` revokes that.`,
  already: () => '',
  left: () => 'The folder is not trusted, so its checks do not run; run `stopgate trust` to trust it.',
  none: ({ facts, choice }) =>
    facts.scope === 'user' && choice.features.includes('checks')
      ? `Checks run in every folder that has a ${CONFIG_NAME} and is trusted (\`stopgate trust\`).`
      : '',
};

function ending({ facts }: InitReport): string {
  const scope = facts.scope === 'local' ? '' : ` --scope ${facts.scope}`;
  return `The hook commands are absolute paths, because hooks run in the agent's current folder: if ${facts.paths.packageRoot} moves, run \`stopgate init${scope}\` again. \`stopgate remove${scope}\` removes the hooks.`;
}
