import path from 'node:path';
import { openGit } from '../../../git/git.ts';
import { findHosts, type HostToWire, namedHosts } from '../../../hosts/findHosts.ts';
import type { SettingsScope } from '../../../hosts/host.ts';
import { isHook } from '../../../hosts/settings/format.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { shellWord } from '../../../system/shellWords.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { paintFor } from '../../output/colors.ts';
import { pageFor } from '../../output/page.ts';
import type { Flags } from '../task/taskOptions.ts';
import { carryOutInit, type HostDone } from './carryOutInit.ts';
import { changeDiff } from './changeDiff.ts';
import { chooseHosts, chooseInit, type FeatureFlags, hostsHere, type InitChoice } from './chooseInit.ts';
import { configFile } from './configFile.ts';
import { gatherInit, type InitFacts } from './gatherInit.ts';
import { type InitReport, initText } from './initText.ts';
import { terminalQuestions } from './questions.ts';

type InitOptions = FeatureFlags &
  Flags<'command', 'yes' | 'dryRun' | 'json'> & { readonly scope: SettingsScope; readonly host?: readonly string[] };

/** `stopgate init`: adds Stopgate to the settings of agents. */
export async function runInit(options: InitOptions): Promise<number> {
  const writer = processWriter(() => {});
  try {
    return await init(options, thisWorld(), writer);
  } finally {
    await drained();
  }
}

async function init(options: InitOptions, world: World, writer: Writer): Promise<number> {
  const named = options.host && namedHosts(options.host);
  using questions = isInteractive(options) ? terminalQuestions() : undefined;
  const page = pageFor(writer, world);
  // with --json stdout is for the script alone
  const print = options.json ? () => {} : writer.out;
  const found = findHosts(world);
  const hosts = named ?? (await chooseHosts(found, questions));
  if (hosts === 'interrupted') return interrupted(print);
  const facts = await gatherInit({ scope: options.scope, command: options.command, hosts }, world);
  const choice = await chooseInit(facts, options, { questions, print, page });
  if (choice === 'interrupted') return interrupted(print);
  refuseNothing(hosts, choice);
  const dryRun = options.dryRun === true;
  const done = await carryOutInit(facts, choice, { world, dryRun });
  const warnings = [
    ...(named === undefined && hostsHere(found).length === 0
      ? [`No agent was found on this machine, so the settings of ${hosts[0]?.title} were used; --host names another.`]
      : []),
    ...(facts.folder?.unread ?? []),
    ...done.hosts.flatMap(({ off }) => off ?? []),
    ...(await Promise.all(done.hosts.map((host) => gitWarnings(host, facts.scope, world)))).flat(),
  ];
  const events = await eventsByHost(facts, choice, world);
  const report = { facts, choice, done, dryRun, warnings, events };
  if (questions?.count()) print('\n');
  writer.out(options.json ? `${JSON.stringify(initJson(report))}\n` : initText(report, page));
  return 0;
}

function interrupted(print: (text: string) => void): number {
  print('Nothing was changed.\n');
  return SIGNAL_EXIT.SIGINT ?? 1;
}

function refuseNothing(hosts: readonly HostToWire[], { features }: InitChoice): void {
  if (hosts.length === 0) throw new UserError('No host was chosen; name one with --host, or run `stopgate hosts`.');
  if (features.length > 0) return;
  throw new UserError(
    'No feature is enabled; choose at least one of --checks, --countdown and --landing, or run `stopgate remove`.',
  );
}

/** Which events each feature uses, for the report. */
async function eventsByHost({ hosts, paths }: InitFacts, { features }: InitChoice, world: World) {
  const rows = hosts.map(async ({ host, wiring, scope }) => {
    const lists = features.map(async (feature) => {
      const files = await wiring.files({ scope, features: [feature], paths, world });
      const entries = files.flatMap((file) => file.entries.filter(isHook));
      return { feature, events: [...new Set(entries.map(({ event }) => event))] };
    });
    return [host.name, await Promise.all(lists)] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

/** Without a terminal to ask at, settings are written only with --yes. */
function isInteractive({ yes, json, dryRun }: InitOptions): boolean {
  if (yes) return false;
  if (!json && process.stdin.isTTY && process.stdout.isTTY) return true;
  if (dryRun) return false;
  throw new UserError('No terminal to ask at: pass --yes for the defaults, or --dry-run to see what they would do.');
}

/** Warns before a settings file is committed: it contains paths of this machine. */
async function gitWarnings(
  { files, wiring }: HostDone,
  asked: SettingsScope,
  world: World,
): Promise<readonly string[]> {
  const hasLocal = wiring.scope('local') === 'local';
  const warnings = files.map(({ file }) =>
    isInside(file, world.cwd) ? gitWarning({ asked, hasLocal }, file, world) : [],
  );
  return (await Promise.all(warnings)).flat();
}

const isInside = (file: string, folder: string) => !path.relative(folder, file).startsWith('..');

/** A host without a file for one person uses the shared one; then it is hidden as the person's own would be. */
async function gitWarning(
  { asked, hasLocal }: { readonly asked: SettingsScope; readonly hasLocal: boolean },
  file: string,
  world: World,
): Promise<readonly string[]> {
  const name = path.relative(world.cwd, file);
  if (asked === 'project') {
    return [
      `${name} is shared with everyone who works here, but its commands contain paths of this machine and would fail elsewhere. Do not commit it${hasLocal ? ', or use --scope local' : ''}.`,
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
  const { hosts, config, trust } = done;
  return {
    scope: facts.scope,
    dryRun,
    features: choice.features,
    hosts: hosts.map(({ host, scope, files, notes }) => ({
      host: host.wiring.flag,
      scope,
      files: files.map((change) => ({
        file: change.file,
        changed: change.changed,
        entries: change.entries,
        ...(dryRun ? { diff: changeDiff(change, paintFor(false, {})) } : {}),
      })),
      notes,
    })),
    config: { state: config, ...(facts.folder ? { file: configFile(facts.folder.path) } : {}), checks: choice.checks },
    trust,
    // what may run now; a new file's checks are in `config`
    trusted: trust === 'recorded' ? (facts.folder?.waiting.effects.checks ?? []) : [],
    warnings,
  };
}
