import type { Page } from '../../output/page.ts';
import { unifiedDiff } from '../../output/unifiedDiff.ts';
import { oneLine } from '../../output/visibleText.ts';
import type { InitDone } from './carryOutInit.ts';
import type { InitChoice } from './chooseInit.ts';
import { CONFIG_NAME, configFile, configText } from './configFile.ts';
import { eventsOf, type InitFacts } from './gatherInit.ts';
import { changeDiff } from './shownChange.ts';

export interface InitReport {
  readonly facts: InitFacts;
  readonly choice: InitChoice;
  readonly done: InitDone;
  readonly dryRun: boolean;
  readonly warnings: readonly string[];
  /** Settings keep Claude Code from running hooks; a warning says which. */
  readonly hooksAreOff: boolean;
}

const EXAMPLE = '{ "checks": [{ "name": "test", "command": "make test", "timeout": "10m" }] }';

/** What was done, or would be, and what to know about it. */
export function initText(report: InitReport, page: Page): string {
  const { facts, choice, done, dryRun, warnings } = report;
  const said = [
    ...[CONFIG[done.config](report, page), TRUST[done.trust](report, page)].filter((text) => text !== ''),
    ...done.settings.notes,
  ];
  const parts = [
    dryRun ? diffs(report, page) : wrote(report, page),
    eventsOf(choice.features, facts.paths)
      .map(({ feature, events }) => `  ${feature.padEnd(11)}${page.paint('dim', events.join(', '))}\n`)
      .join(''),
    ...(said.length + warnings.length > 0 ? ['\n'] : []),
    ...said.map(paragraph(page)),
    ...warnings.map((warning) => page.paint('yellow', paragraph(page)(`Warning: ${warning}`))),
    dryRun ? '\nNothing was written.\n' : `\n${paragraph(page)(ending(report))}`,
  ];
  return parts.join('');
}

const paragraph = (page: Page) => (text: string) => `${page.block(text, 0)}\n`;

function wrote({ done, hooksAreOff }: InitReport, page: Page): string {
  const file = page.paint('bold', page.place(done.settings));
  if (!done.settings.changed) return `${file} has it all already:\n`;
  const what = hooksAreOff ? 'it now has these hooks, which will not run' : 'Claude Code now runs';
  return `${file} ${done.settings.before.type === 'absent' ? 'is made' : 'is changed'}; ${what}:\n`;
}

function diffs({ facts, choice, done }: InitReport, page: Page): string {
  const config =
    done.config === 'written' && facts.folder
      ? unifiedDiff(
          { name: `${facts.folder.path}/${CONFIG_NAME}`, before: null, after: configText(choice.checks) },
          page.paint,
        )
      : '';
  const settings = changeDiff(done.settings, page.paint) || `${page.place(done.settings)} would stay as it is.\n`;
  return `${settings}${config}\n`;
}

type Words<Key extends string> = Readonly<Record<Key, (report: InitReport, page: Page) => string>>;

const CONFIG: Words<InitDone['config']> = {
  written: ({ choice, dryRun }) => {
    const checks = choice.checks.map(({ name, command }) => (name === command ? name : `${name} (${command})`));
    return `${CONFIG_NAME} ${dryRun ? 'would be' : 'is'} written with the checks ${oneLine(checks.join(', '))}.`;
  },
  there: () => `${CONFIG_NAME} is here already and stays as it is.`,
  above: ({ facts }, page) =>
    `${page.place({ file: configFile(facts.folder?.path ?? '') })} holds for this folder too, so no ${CONFIG_NAME} was written here: one here would replace it.`,
  left: () => `No ${CONFIG_NAME} was written: without one nothing is checked. It looks like ${EXAMPLE}`,
  unknown: () => `Nothing here says how it is tested, so nothing is checked until you write ${CONFIG_NAME}: ${EXAMPLE}`,
  none: () => '',
};

const TRUST: Words<InitDone['trust']> = {
  recorded: ({ facts, dryRun }) =>
    `${facts.folder?.path} ${dryRun ? 'would be' : 'is now'} trusted, because its checks are commands that Stopgate runs; \`stopgate trust --remove\` takes that back.`,
  already: () => '',
  left: () => 'The folder is not trusted, so its checks do not run; `stopgate trust` changes that.',
  none: ({ facts, choice }) =>
    facts.scope === 'user' && choice.features.includes('checks')
      ? `Checks run in every folder that has a ${CONFIG_NAME} and is trusted (\`stopgate trust\`).`
      : '',
};

function ending({ facts }: InitReport): string {
  const scope = facts.scope === 'local' ? '' : ` --scope ${facts.scope}`;
  return `The commands have absolute paths, since hooks run in whatever folder the agent is in: when ${facts.paths.packageRoot} moves, run \`stopgate init${scope}\` again. \`stopgate remove${scope}\` takes it all out.`;
}
