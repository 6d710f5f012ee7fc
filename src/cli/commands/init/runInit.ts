import path from 'node:path';
import { openGit } from '../../../git/git.ts';
import { hookEntries } from '../../../hosts/claudeCode/entries.ts';
import { whyHooksAreOff } from '../../../hosts/claudeCode/whyHooksAreOff.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { pageFor } from '../../output/page.ts';
import type { Flags } from '../task/taskOptions.ts';
import { carryOutInit } from './carryOutInit.ts';
import { changeDiff } from './changeDiff.ts';
import { chooseInit, type FeatureFlags } from './chooseInit.ts';
import { configFile } from './configFile.ts';
import { gatherInit } from './gatherInit.ts';
import { type InitReport, initText } from './initText.ts';
import { terminalQuestions } from './questions.ts';
import type { SettingsScope } from './settingsFile.ts';

type InitOptions = FeatureFlags & Flags<'command', 'yes' | 'dryRun' | 'json'> & { readonly scope: SettingsScope };

/** `stopgate init`: adds Stopgate to Claude Code's settings. */
export async function runInit(options: InitOptions): Promise<number> {
  const writer = processWriter(() => {});
  try {
    return await init(options, thisWorld(), writer);
  } finally {
    await drained();
  }
}

async function init(options: InitOptions, world: World, writer: Writer): Promise<number> {
  const interactive = isInteractive(options);
  const facts = await gatherInit({ scope: options.scope, command: options.command }, world);
  const page = pageFor(writer, world);
  // with --json stdout is for the script alone
  const print = options.json ? () => {} : writer.out;
  using questions = interactive ? terminalQuestions() : undefined;
  const choice = await chooseInit(facts, options, { questions, print, page });
  if (choice === 'interrupted') {
    print('Nothing was changed.\n');
    return SIGNAL_EXIT.SIGINT ?? 1;
  }
  if (choice.features.length === 0) {
    throw new UserError(
      'No feature is enabled; choose at least one of --checks, --countdown and --landing, or run `stopgate remove`.',
    );
  }
  const dryRun = options.dryRun === true;
  const done = await carryOutInit(facts, choice, { world, dryRun });
  const off = await whyHooksAreOff(world.cwd, world);
  const warnings = [
    ...(facts.folder?.unread ?? []),
    ...(off === null ? [] : [off]),
    ...(await gitWarnings(options.scope, done.settings.file, world)),
  ];
  const report = { facts, choice, done, dryRun, warnings, hooksAreOff: off !== null };
  if (questions?.count()) print('\n');
  writer.out(options.json ? `${JSON.stringify(initJson(report))}\n` : initText(report, page));
  return 0;
}

/** Without a terminal to ask at, settings are written only with --yes. */
function isInteractive({ yes, json, dryRun }: InitOptions): boolean {
  if (yes) return false;
  if (!json && process.stdin.isTTY && process.stdout.isTTY) return true;
  if (dryRun) return false;
  throw new UserError('No terminal to ask at: pass --yes for the defaults, or --dry-run to see what they would do.');
}

/** Warns before the settings file is committed: it contains paths of this machine. */
async function gitWarnings(scope: SettingsScope, file: string, world: World): Promise<readonly string[]> {
  if (scope === 'user') return [];
  const name = path.relative(world.cwd, file);
  if (scope === 'project') {
    return [
      `${name} is shared with everyone who works here, but its commands contain paths of this machine and would fail elsewhere. Do not commit it, or use --scope local.`,
    ];
  }
  const git = openGit({ processes: world.processes, env: world.env, timeoutMs: 2_000 });
  const ignored = await git.run({ folder: world.cwd, args: ['check-ignore', '-q', '--', file] });
  // 1: not ignored; anything else: ignored, no repository, or no git
  if (ignored.type === 'done' || ignored.exitCode !== 1) return [];
  return [
    `git does not ignore ${name}, which contains paths of this machine; before you commit, run: echo ${shellWord(name)} >> "$(git rev-parse --git-path info/exclude)"`,
  ];
}

function initJson({ facts, choice, done, dryRun, warnings }: InitReport) {
  const { settings, config, trust } = done;
  return {
    scope: facts.scope,
    file: settings.file,
    changed: settings.changed,
    dryRun,
    features: choice.features,
    entries: hookEntries(choice.features, facts.paths),
    config: { state: config, ...(facts.folder ? { file: configFile(facts.folder.path) } : {}), checks: choice.checks },
    trust,
    // what may run now; a new file's checks are in `config`
    trusted: trust === 'recorded' ? (facts.folder?.waiting.effects.checks ?? []) : [],
    notes: settings.notes,
    warnings,
    ...(dryRun ? { diff: changeDiff(settings, paintFor(false, {})) } : {}),
  };
}
