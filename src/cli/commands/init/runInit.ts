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
  Flags<'command', 'yes' | 'dryRun' | 'verbose' | 'json'> & {
    readonly scope: SettingsScope;
    readonly host?: readonly string[];
  };

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
    ...(await gitWarnings(done.hosts, facts.scope, world)),
  ];
  const events = await eventsByHost(facts, choice, world);
  const report = { facts, choice, done, dryRun, warnings, events, isShort: done.hosts.length > 1 && !options.verbose };
  if (questions?.count()) print('\n');
  writer.out(options.json ? `${JSON.stringify(initJson(report))}\n` : initText(report, page));
  // of the other agents much was changed
  for (const { host, reason } of done.refused)
    writer.err(`stopgate: ${host.title} was left out: ${reason.replace(/ Nothing was changed\.$/, '')}\n`);
  return done.refused.length > 0 ? 1 : 0;
}

function interrupted(print: (text: string) => void): number {
  print('Nothing was changed.\n');
  return SIGNAL_EXIT.SIGINT ?? 1;
}

function refuseNothing(hosts: readonly HostToWire[], { features }: InitChoice): void {
  if (hosts.length === 0)
    throw new UserError(
      'No agent was chosen; name some with --host, such as --host claude,codex, or run `stopgate hosts`.',
    );
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

/** Warns before settings files are committed: they contain paths of this machine. */
async function gitWarnings(hosts: readonly HostDone[], asked: SettingsScope, world: World): Promise<readonly string[]> {
  const inside = hosts.flatMap(({ files, wiring }) =>
    files
      .filter(({ file }) => !path.relative(world.cwd, file).startsWith('..'))
      .map(({ file }) => ({ name: path.relative(world.cwd, file), hasLocal: wiring.scope('local') === 'local' })),
  );
  if (asked === 'project')
    return inside.map(
      ({ name, hasLocal }) =>
        `${name} is shared with everyone who works here, but its commands contain paths of this machine and would fail elsewhere. Do not commit it${hasLocal ? ', or use --scope local' : ''}.`,
    );
  // a host without a file for one person uses the shared one; then it is hidden as the person's own would be
  const git = openGit({ processes: world.processes, env: world.env, timeoutMs: 2_000 });
  const seen: string[] = [];
  for (const { name } of inside) {
    const ignored = await git.run({ folder: world.cwd, args: ['check-ignore', '-q', '--', name] });
    // 1: not ignored; anything else: ignored, no repository, or no git
    if (ignored.type !== 'done' && ignored.exitCode === 1) seen.push(name);
  }
  if (seen.length === 0) return [];
  return [
    `git does not ignore ${seen.join(', ')}, which ${seen.length === 1 ? 'contains' : 'contain'} paths of this machine; before you commit, run: printf '%s\\n' ${seen.map(shellWord).join(' ')} >> "$(git rev-parse --git-path info/exclude)"`,
  ];
}

function initJson({ facts, choice, done, dryRun, warnings }: InitReport) {
  const { hosts, refused, config, trust } = done;
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
    refused: refused.map(({ host, reason }) => ({ host: host.wiring.flag, reason })),
    config: { state: config, ...(facts.folder ? { file: configFile(facts.folder.path) } : {}), checks: choice.checks },
    trust,
    // what may run now; a new file's checks are in `config`
    trusted: trust === 'recorded' ? (facts.folder?.waiting.effects.checks ?? []) : [],
    warnings,
  };
}
