import { hookEntries } from '../../../hosts/claudeCode/entries.ts';
import { whyHooksAreOff } from '../../../hosts/claudeCode/whyHooksAreOff.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colours.ts';
import { pageFor } from '../../output/page.ts';
import { carryOutInit } from './carryOutInit.ts';
import { chooseInit } from './chooseInit.ts';
import { configFile } from './configFile.ts';
import { gatherInit } from './gatherInit.ts';
import { gitWarnings } from './gitWarnings.ts';
import { type InitReport, initText } from './initText.ts';
import { terminalQuestions } from './questions.ts';
import type { SettingsScope } from './settingsScope.ts';
import { changeDiff } from './shownChange.ts';

export interface InitOptions {
  readonly scope: SettingsScope;
  readonly checks?: boolean;
  readonly countdown?: boolean;
  readonly landing?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly command?: string;
}

/** `stopgate init`: wires Stopgate into Claude Code's settings. */
export async function runInit(options: InitOptions): Promise<number> {
  const writer = processWriter(() => {});
  try {
    return await init(options, thisWorld(), writer);
  } finally {
    await drained();
  }
}

async function init(options: InitOptions, world: World, writer: Writer): Promise<number> {
  const asks = mayAsk(options);
  const facts = await gatherInit({ scope: options.scope, command: options.command }, world);
  const page = pageFor(writer, world);
  // told apart from the report: with --json stdout is for the script alone
  const tell = options.json ? () => {} : writer.out;
  using questions = asks ? terminalQuestions() : undefined;
  const choice = await chooseInit(facts, options, { questions, tell, page });
  if (choice.type === 'interrupted') {
    tell('Nothing was changed.\n');
    return SIGNAL_EXIT.SIGINT ?? 1;
  }
  if (choice.features.length === 0) {
    throw new UserError(
      'Nothing is left to switch on; choose one of --checks, --countdown and --landing, or run `stopgate remove`.',
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
  if (questions?.count()) tell('\n');
  writer.out(options.json ? `${JSON.stringify(initJson(report))}\n` : initText(report, page));
  return 0;
}

/** True when there is somebody to ask and something they did not say; nobody's settings are written unasked. */
function mayAsk({ yes, json, dryRun }: InitOptions): boolean {
  if (yes) return false;
  if (!json && process.stdin.isTTY && process.stdout.isTTY) return true;
  if (dryRun) return false;
  throw new UserError(
    'There is no terminal to ask at: pass --yes for the defaults, or --dry-run to see what they would do.',
  );
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
    // what may run from now on; a new file's checks are in `config`
    trusted: trust === 'recorded' ? (facts.folder?.waiting.checks ?? []) : [],
    notes: settings.notes,
    warnings,
    ...(dryRun ? { diff: changeDiff(settings, paintFor(false, {})) } : {}),
  };
}
