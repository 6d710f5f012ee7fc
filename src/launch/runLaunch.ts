import { planLaunch } from '../budget/launchPlan.ts';
import { commitsOf, endingOf, type LaunchReport, reportText } from '../cli/commands/launch/launchReport.ts';
import type { LaunchRequest } from '../cli/commands/launch/launchRequest.ts';
import { startText } from '../cli/commands/launch/startText.ts';
import { paintFor } from '../cli/output/colours.ts';
import { commitsSince } from '../git/commitsSince.ts';
import type { Git } from '../git/git.ts';
import { type AgentCommand, agentCommand } from '../hosts/agentCommand.ts';
import type { HostFeature } from '../hosts/claudeCode/entries.ts';
import { permissionHint } from '../hosts/permissionHint.ts';
import { type WiredAgent, wireAgent } from '../hosts/wireAgent.ts';
import { isStopOpen } from '../stop/activityFile.ts';
import type { Armed } from '../stop/armed.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { skippedEnding } from '../stop/gateEnding.ts';
import { bootedAt } from '../stop/hookClock.ts';
import { readLedger } from '../stop/readLedger.ts';
import { worldGit } from '../stop/worldGit.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { wallNow } from '../system/clock.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../system/interrupts.ts';
import { thisWorld, type World } from '../system/world.ts';
import { drained, endingLines, type LineWriter, processWriter } from '../system/writer.ts';
import { attachByPipes, attachToTerminal } from './attachAgent.ts';
import { type Keeping, type KeptWork, keepBeside, keepOnBranch, keepStart, withEarlier } from './keepWork.ts';
import { armLaunch, endingOfAgent, endingSinceArmed, mayPlan, provenExit } from './launchChecks.ts';
import { launchEnvironment } from './launchEnvironment.ts';
import { openLaunchRecord } from './launchRecord.ts';
import { lateSignal, NotLaunched, stopIfInterrupted } from './launchSignals.ts';
import { type LaunchFolder, openFolder, START_MS } from './openFolder.ts';
import { pruneKept } from './pruneKept.ts';
import { superviseAgent } from './superviseAgent.ts';
import { tellMoments } from './tellMoments.ts';
import { watchClock } from './watchClock.ts';
import { watchSpend } from './watchSpend.ts';

/**
 * `stopgate launch`: an agent on a clock it can see, whose work is kept however it ends.
 *
 * In order: a folder (its own work tree if asked), our hooks in the agent's settings, a record that says we are here, the
 * agent until it ends or is ended, then the way back: work kept, settings as they were, a report.
 */
export async function runLaunch(request: LaunchRequest): Promise<number> {
  const world = thisWorld();
  const interrupted = new AbortController();
  const writer = endingLines(processWriter(() => {}));
  using interrupts = listenForInterrupts(
    () => world.processes.killAll(),
    (text) => writer.err(`stopgate: ${text}\n`),
    { what: 'the agent', ...(request.interactive && { ignore: ['SIGINT'] }) },
  );
  interrupts.signal.addEventListener('abort', () => interrupted.abort(`${interrupts.received()} was received`));
  const launched = await launch({ request, world, writer, interrupted }).catch((error) => {
    if (error instanceof NotLaunched) return error;
    throw error;
  });
  await world.processes.endAll();
  if (launched instanceof NotLaunched) {
    writer.err(`stopgate: ${launched.message}\n`);
    return SIGNAL_EXIT[interrupts.received() ?? ''] ?? 1;
  }
  const told = await tell(launched, { request, world, writer });
  const signal = interrupts.received();
  if (signal) return SIGNAL_EXIT[signal] ?? 1;
  return launched.report.exitCode === 0 && !told ? NO_REPORT_EXIT : launched.report.exitCode;
}

interface Launch {
  readonly request: LaunchRequest;
  readonly world: World;
  readonly writer: LineWriter;
  /** Aborted with a sentence by whoever wants the agent to end: a person, a limit. */
  readonly interrupted: AbortController;
}

/** A report, and those of its notes that were not already printed at the start. */
interface Launched {
  readonly report: LaunchReport;
  readonly shownNotes: readonly string[];
}

async function launch(facts: Launch): Promise<Launched> {
  const { request, world } = facts;
  const command = agentCommand({
    agent: request.agent,
    words: request.words,
    interactive: request.interactive,
    requireSandbox: request.requireSandbox,
    env: world.env,
    tokenBudget: request.tokenBudget,
    maxBudgetUsd: request.maxBudgetUsd,
  });
  const id = world.ids.uuid().slice(0, 8);
  const { signal } = facts.interrupted;
  const { trustProject } = request;
  const opening = worldGit(world, { trustProject, signal });
  const startSignal = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  const startGit = worldGit(world, { trustProject, signal: startSignal });
  const folder = await openFolder({ git: opening, startGit, id, world, worktree: request.worktree });
  stopIfInterrupted(signal);
  // files are kept even when a signal has ended everything else, but not for longer than the sender waits
  const late = lateSignal(signal);
  const git = worldGit(world, { trustProject, signal: late });
  await using wired = await wireAgent({
    command,
    features: featuresFor(request, folder.path),
    profile: request.profile,
    folder: folder.path,
    world,
    git: opening,
  });
  stopIfInterrupted(signal);
  const armed = await armLaunch({ command, request, folder: folder.path, world });
  const notes = [...folder.notes, ...wired.notes, ...permissionNotes(request, folder.path, world)];
  const { interruptsChecks, ...report } = await runAgent({
    ...facts,
    command,
    id,
    git,
    late,
    folder,
    wired,
    armed,
    notes,
  });
  const decisions = await readLedger(world.stopgateHome);
  const own = decisions.filter(({ launch: by }) => by === id);
  const ended = interruptsChecks ? skippedEnding('checksInterrupted') : endingOfAgent(armed, own);
  const planning = mayPlan(command, request.interactive);
  const checks = await endingSinceArmed(armed, ended, { folder: folder.path, mayPlan: planning });
  const pruned = await pruneKept(git, folder.path, world);
  const later = [...report.notes, ...pruned];
  const whole = { ...report, checks, exitCode: provenExit(report, checks, request), notes: [...notes, ...later] };
  return { report: whole, shownNotes: request.quiet ? whole.notes : later };
}

/** The clock always; the definition of done where there is one. Trust is asked when it is run. */
const featuresFor = ({ checks }: LaunchRequest, folder: string): readonly HostFeature[] =>
  checks && findConfig(folder) !== null ? ['countdown', 'landing', 'checks'] : ['countdown', 'landing'];

/** A person at a terminal can be asked; a headless agent that may only read would end with nothing done. */
function permissionNotes(request: LaunchRequest, cwd: string, world: World): readonly string[] {
  if (request.interactive) return [];
  const { agent, words, worktree: worktrees } = request;
  const hint = permissionHint({ agent, words, worktrees, cwd, homeDir: world.homeDir, env: world.env });
  return hint === null ? [] : [hint];
}

interface AgentRun extends Launch {
  readonly command: AgentCommand;
  readonly id: string;
  readonly git: Git;
  /** Aborted some time after the agent was interrupted. */
  readonly late: AbortSignal;
  readonly folder: LaunchFolder;
  readonly wired: WiredAgent;
  readonly armed: Armed;
  /** What was found out before the start, in sentences. */
  readonly notes: readonly string[];
}

interface AgentRan extends Omit<LaunchReport, 'checks'> {
  /** The agent ended while its stop was being checked. */
  readonly interruptsChecks: boolean;
}

async function runAgent(run: AgentRun): Promise<AgentRan> {
  const { request, world, command, id, git, folder, writer, interrupted } = run;
  const { clock } = world;
  const startedAt = clock.now();
  const plan = planLaunch({ startedAt, budgetSeconds: request.budgetSeconds, graceSeconds: request.graceSeconds });
  const times = { startedAt: new Date(wallNow(clock)).toISOString(), endAt: new Date(plan.endAt).toISOString() };
  const facts = { id, agent: command.name, folder: folder.path, pid: process.pid, ...times };
  await using record = await openLaunchRecord(world.stopgateHome, facts, clock);
  if (!request.quiet) writer.err(startText({ command, request, plan, armed: run.armed, notes: run.notes }));
  const { spendFile } = record;
  const spend = watchSpend({ command, request, spendFile, env: world.env, stop: (why) => interrupted.abort(why) });
  const startNotes = await keepStart(keepingOf(run));
  const attach = request.interactive ? attachToTerminal : attachByPipes;
  const attached = attach({ processes: world.processes, clock, writer, onStdout: spend.push, form: command.form });
  const { quiet } = request;
  await using clockWatch = watchClock({ clock, endAt: plan.endAt, record, quiet, writer: attached.writer });
  const agentEnd = await superviseAgent({
    processes: attached.processes,
    interrupt: attached.interrupt,
    clock,
    plan,
    spec: {
      file: command.file,
      args: command.args,
      cwd: folder.path,
      env: launchEnvironment(run.wired.env, plan, {
        id,
        budgetSeconds: request.budgetSeconds,
        activityFile: record.activityFile,
        spendFile,
        trustProject: request.trustProject,
        bootedAt: bootedAt(clock),
        checks: request.checks,
        isOwn: command.wiredBy === 'itself',
      }),
      ...attached.streams,
    },
    onMoment: tellMoments({ plan, quiet, writer: attached.writer, keep: (moment) => keepMeanwhile(run, moment) }),
    stop: interrupted.signal,
  });
  attached.detach(agentEnd);
  const interruptsChecks = isStopOpen(record.activityFile);
  clockWatch.look();
  // before the last snapshot, which would otherwise hold our own hooks as if they were the agent's work
  const restored = await run.wired.release();
  const kept = await keepAtTheEnd(run);
  const commits = await commitsSince(git, { folder: folder.path, base: folder.base });
  return {
    type: 'launch_report',
    id,
    agent: command.name,
    folder: folder.path,
    ...endingOf(agentEnd, spend.limit()),
    startedAt: times.startedAt,
    usedMs: clock.now() - startedAt,
    budgetMs: request.budgetSeconds * 1000,
    ...commitsOf(commits),
    kept,
    spend: spend.total(),
    interruptsChecks,
    notes: [...startNotes, ...restored, ...spend.notes, ...clockWatch.notes],
  };
}

const messageOf = ({ command, id }: AgentRun) => `Work of ${command.name} that was not committed (launch ${id})`;

const keepingOf = (run: AgentRun): Keeping => ({
  git: run.git,
  folder: run.folder.path,
  id: run.id,
  message: messageOf(run),
  from: `launch ${run.id} of ${run.command.name}`,
  start: run.folder.start,
  began: run.folder.start?.tree ?? run.folder.base,
});

/** While the agent runs its settings hold our hooks, which are not its work. */
const keepMeanwhile = (run: AgentRun, moment: string): Promise<KeptWork> =>
  keepBeside({
    ...keepingOf(run),
    // a settings file that was untracked at the start holds our hooks now
    began: run.folder.base,
    git: worldGit(run.world, { trustProject: run.request.trustProject, env: run.wired.env, signal: run.late }),
    moment,
  });

/** In a work tree of ours the branch is ours as well; elsewhere nobody's branch is touched unasked. */
async function keepAtTheEnd(run: AgentRun): Promise<KeptWork> {
  const keeping = { ...keepingOf(run), moment: 'at its end' };
  return withEarlier(keeping, await keepLast(run, keeping));
}

function keepLast({ folder, request }: AgentRun, keeping: Keeping): Promise<KeptWork> {
  if (folder.ownBranch !== null) return keepOnBranch(keeping, { branch: folder.ownBranch, allowDefaultBranch: false });
  return request.commit === 'branch' ? keepOnBranch(keeping, { allowDefaultBranch: true }) : keepBeside(keeping);
}

/** As `sysexits.h` has it: an input or output error. */
const NO_REPORT_EXIT = 74;

/** False when the report that was asked for could not be written. */
async function tell(
  { report, shownNotes }: Launched,
  { request, world, writer }: Omit<Launch, 'interrupted'>,
): Promise<boolean> {
  const failure = request.reportFile === undefined ? null : await writeReport(request.reportFile, report);
  if (failure !== null) writer.err(`stopgate: ${failure}\n`);
  if (request.json) writer.line(JSON.stringify(report));
  // whoever wants no lines still wants to hear of what went wrong
  const isGood = report.how === 'finished' && report.exitCode === 0 && report.kept.type !== 'notKept';
  const text = reportText({ ...report, notes: shownNotes }, paintFor(writer.errIsTerminal, world.env));
  if (!request.quiet || !isGood) writer.err(text);
  await drained();
  return failure === null;
}

async function writeReport(file: string, report: LaunchReport): Promise<string | null> {
  try {
    await writeFileAtomically(file, `${JSON.stringify(report, null, 2)}\n`);
    return null;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `The report could not be written to ${file} (${code ?? message}).`;
  }
}
