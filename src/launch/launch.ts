import { type LaunchPlan, planLaunch } from '../budget/launchPlan.ts';
import { commitsSince } from '../git/commitsSince.ts';
import type { Git } from '../git/git.ts';
import { agentCommand } from '../hosts/agentCommand.ts';
import type { AgentCommand, HostFeature, WiredAgent } from '../hosts/host.ts';
import { permissionHint } from '../hosts/permissionHint.ts';
import { printedAnswer } from '../hosts/printedAnswer.ts';
import { isStopOpen, sawToolCall } from '../stop/activity.ts';
import type { Armed } from '../stop/armed.ts';
import { findConfig } from '../stop/checks/findConfig.ts';
import { skippedEnding } from '../stop/ending.ts';
import { readDecisions } from '../stop/readLedger.ts';
import { worldGit } from '../stop/worldGit.ts';
import { wallNow } from '../system/clock.ts';
import type { World } from '../system/world.ts';
import type { LineWriter } from '../system/writer.ts';
import { type Attachment, attachByPipes, attachToTerminal } from './attachAgent.ts';
import { endOfRun, type SeenRun } from './endOfRun.ts';
import { type Keeping, type KeptWork, keepBeside, keepOnBranch, keepStart, withEarlier } from './keepWork.ts';
import { armLaunch, endingOfAgent, endingSinceArmed, mayPlan, provenExit, refuseDisarmed } from './launchChecks.ts';
import { launchEnvironment } from './launchEnvironment.ts';
import { openLaunchRecord } from './launchRecord.ts';
import { endingOf, type LaunchReport } from './launchReport.ts';
import type { LaunchRequest } from './launchRequest.ts';
import { type LaunchFolder, openFolder, START_MS } from './openFolder.ts';
import { type Again, type OuterLoop, outerLoop } from './outerLoop.ts';
import { pruneKept } from './pruneKept.ts';
import { launchSession, recordLaunch } from './recordLaunch.ts';
import { type AgentEnd, reportStages, superviseAgent } from './superviseAgent.ts';
import { watchClock } from './watchClock.ts';
import { watchSpend } from './watchSpend.ts';

export interface Launch {
  readonly request: LaunchRequest;
  readonly world: World;
  readonly writer: LineWriter;
  /** Called before the agent starts. */
  readonly onStart: (facts: StartFacts) => void;
  /** Aborted with a sentence, by a person or a limit. */
  readonly interrupted: AbortController;
}

export interface StartFacts extends Pick<AgentRun, 'command' | 'armed' | 'notes'> {
  readonly plan: LaunchPlan;
}

/** A report, and its notes that were not printed at the start. */
export interface Launched {
  readonly report: LaunchReport;
  readonly shownNotes: readonly string[];
}

/**
 * Runs an agent on a clock that it can see, and keeps its work however it ends.
 *
 * In order: a folder (with --worktree a new one), our hooks in the agent's settings, a record of the launch, the agent until
 * its end, then its work is kept, the settings are restored, and a report is written.
 */
export async function launch(facts: Launch): Promise<Launched> {
  const { request, world } = facts;
  const command = await agentCommand({ ...request, env: world.env, cwd: world.cwd });
  const id = world.ids.uuid().slice(0, 8);
  const { signal } = facts.interrupted;
  const { trustProject } = request;
  const opening = worldGit(world, { trustProject, signal });
  const startSignal = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  const startGit = worldGit(world, { trustProject, signal: startSignal });
  const folder = await openFolder({ git: opening, startGit, id, world, worktree: request.worktree });
  stopIfInterrupted(signal);
  await refuseDisarmed({ command, request, folder: folder.path, world });
  // work is kept even after a signal, but within the time that its sender waits
  const late = lateSignal(signal);
  const git = worldGit(world, { trustProject, signal: late });
  await using wired = await command.agent.wire({
    command,
    features: featuresFor(request, folder.path),
    profile: request.profile,
    folder: folder.path,
    world,
    git: opening,
  });
  stopIfInterrupted(signal);
  const armed = await armLaunch({ command, request, folder: folder.path, world });
  const notes = [...folder.notes, ...wired.notes, ...permissionNotes(command, facts, folder.path)];
  const run = { ...facts, command, id, git, late, folder, wired, armed, notes };
  const { interruptsChecks, seen, ...report } = await runAgent(run);
  const own = readDecisions(world.stopgateHome, { launch: id, since: Date.parse(report.startedAt) });
  const ended = interruptsChecks ? skippedEnding('checksInterrupted') : endingOfAgent(armed, own);
  const planning = mayPlan(command, request.interactive);
  const checks = await endingSinceArmed(armed, ended, { folder: folder.path, mayPlan: planning });
  const pruned = await pruneKept(git, folder.path, world);
  const { run: ending, notes: endNotes, ...end } = endOfRun({ report, seen, checks, own, world });
  const exitCode = report.how === 'finished' ? provenExit(ending, checks, request) : report.exitCode;
  const ofRun = { ...report, ...end, exitCode };
  const countsItself = command.agent.isOwn;
  const isChecked = armed.sentence !== null;
  const unrecorded = recordLaunch({ report: ofRun, checks, isChecked, own, countsItself }, world);
  const later = [...report.notes, ...endNotes, ...pruned, ...unrecorded];
  const whole = { ...ofRun, checks, notes: [...notes, ...later] };
  return { report: whole, shownNotes: request.quiet ? whole.notes : later };
}

/** Always the clock; checks where there is a definition of done. Trust is checked when they run. */
const featuresFor = ({ checks }: LaunchRequest, folder: string): readonly HostFeature[] =>
  checks && findConfig(folder) !== null ? ['countdown', 'landing', 'checks'] : ['countdown', 'landing'];

/** A headless agent that may only read would end with nothing done. */
function permissionNotes({ agent }: AgentCommand, { request, world }: Launch, cwd: string): readonly string[] {
  if (request.interactive) return [];
  const { words, worktree: worktrees } = request;
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
  /** Sentences about what was found before the start. */
  readonly notes: readonly string[];
}

interface AgentRan extends Omit<LaunchReport, 'checks' | 'leftRunning'> {
  readonly seen: SeenRun;
  /** The agent ended while its stop was being checked. */
  readonly interruptsChecks: boolean;
}

async function runAgent(run: AgentRun): Promise<AgentRan> {
  const { request, world, command, id, git, folder, writer, interrupted } = run;
  const { clock } = world;
  const startedAt = clock.now();
  const plan = planLaunch({ startedAt, ...request });
  const times = { startedAt: new Date(wallNow(clock)).toISOString(), endAt: new Date(plan.endAt).toISOString() };
  const facts = { id, agent: command.name, folder: folder.path, pid: process.pid, ...times };
  await using record = await openLaunchRecord(world.stopgateHome, facts, clock);
  run.onStart({ command, plan, armed: run.armed, notes: run.notes });
  const { spendFile } = record;
  const spend = watchSpend({ command, request, spendFile, env: world.env, stop: (why) => interrupted.abort(why) });
  const startNotes = await keepStart(keepingOf(run));
  const attach = request.interactive ? attachToTerminal : attachByPipes;
  const answer = printedAnswer();
  const onStdout = (chunk: string) => {
    spend.push(chunk);
    answer.push(chunk);
    loop?.push(chunk);
  };
  const attached = attach({ processes: world.processes, clock, writer, onStdout, form: command.form });
  const env = launchEnvironment(run.wired.env, plan, { id, request, record, clock, isOwn: command.agent.isOwn });
  const loop = loopOf(run, plan, env);
  const beginNotes = (await loop?.begin()) ?? [];
  const { quiet } = request;
  await using clockWatch = watchClock({ clock, endAt: plan.endAt, record, quiet, writer: attached.writer });
  const agentEnd = await superviseUntilDone(run, { plan, env, attached, loop });
  attached.detach(agentEnd);
  const interruptsChecks = isStopOpen(record.activityFile);
  const seen = {
    left: agentEnd.type === 'finished' ? agentEnd.left : [],
    // at a terminal the person reads the answer
    answered: command.agent.printsAnswer && !request.interactive ? answer.answered() : null,
    calledTools: sawToolCall(record.activityFile),
  };
  clockWatch.check();
  // before the last snapshot, which would otherwise contain our hooks as if they were the agent's work
  const restored = await run.wired.release();
  const kept = await keepAtTheEnd(run);
  const since = await commitsSince(git, { folder: folder.path, base: folder.base });
  const { commits, total: commitCount } = since.type === 'listed' ? since : { commits: [], total: 0 };
  return {
    type: 'launch_report',
    id,
    agent: command.name,
    folder: folder.path,
    ...endingOf(agentEnd, spend.limit(), command.agent.isOwn),
    startedAt: times.startedAt,
    usedMs: clock.now() - startedAt,
    budgetMs: request.budgetSeconds * 1000,
    commits,
    commitCount,
    kept,
    spend: spend.total(),
    interruptsChecks,
    seen,
    notes: [...startNotes, ...beginNotes, ...restored, ...spend.notes, ...clockWatch.notes],
  };
}

/** For a host that can end against a veto, where something decides about its stop. */
function loopOf(run: AgentRun, plan: LaunchPlan, env: Readonly<Record<string, string>>): OuterLoop | null {
  const { command, folder, world, request, id, interrupted, armed } = run;
  if (request.interactive || armed.checks.length === 0) return null;
  const { requireProof, trustProject: trusted } = request;
  const facts = { command, env, folder: folder.path, world, session: launchSession(id), trusted, requireProof };
  return outerLoop({ ...facts, deadlineAt: plan.endAt, signal: interrupted.signal });
}

interface Supervised {
  readonly plan: LaunchPlan;
  readonly env: Readonly<Record<string, string>>;
  readonly attached: Attachment;
  readonly loop: OuterLoop | null;
}

/** Runs the agent, and runs it again in its session while the outer loop holds it. */
async function superviseUntilDone(run: AgentRun, { plan, env, attached, loop }: Supervised): Promise<AgentEnd> {
  const { command, request, world, folder, interrupted } = run;
  const { quiet } = request;
  const supervise = (args: readonly string[], stages: LaunchPlan['stages'], streams: Attachment['streams']) =>
    superviseAgent({
      processes: attached.processes,
      interrupt: attached.interrupt,
      clock: world.clock,
      plan: { ...plan, stages },
      spec: { file: command.file, args: [...args, ...(run.wired.args ?? [])], cwd: folder.path, env, ...streams },
      onStage: reportStages({ plan, quiet, writer: attached.writer, keep: (stage) => keepMeanwhile(run, stage) }),
      stop: interrupted.signal,
    });
  let end = await supervise(command.args, plan.stages, attached.streams);
  for (let again = await whyAgain(end, run, loop); again !== null; again = await whyAgain(end, run, loop)) {
    const line = `${command.agent.title} ended, but may not stop yet: it is started again in its session.`;
    const lines = [...(again.words === null ? [] : [line]), ...again.notes];
    for (const note of quiet ? [] : lines) attached.writer.err(`stopgate: ${note}\n`);
    if (again.words === null) break;
    const { args } = await agentCommand({ ...request, words: again.words, env: world.env, cwd: world.cwd });
    const left = plan.stages.filter(({ at }) => at > world.clock.now());
    // what was piped in belongs to the first prompt
    end = await supervise(args, left, { ...attached.streams, input: '' });
  }
  return end;
}

/** Only of an agent that ended by itself and without an error. */
async function whyAgain(agentEnd: AgentEnd, run: AgentRun, loop: OuterLoop | null): Promise<Again | null> {
  if (loop === null || agentEnd.type !== 'finished' || run.interrupted.signal.aborted) return null;
  const { end } = agentEnd;
  return end.type === 'exited' && end.code === 0 ? loop.again(run.request.words) : null;
}

const keepingOf = (run: AgentRun): Keeping => ({
  git: run.git,
  folder: run.folder.path,
  id: run.id,
  message: `Work of ${run.command.name} that was not committed (launch ${run.id})`,
  from: `launch ${run.id} of ${run.command.name}`,
  start: run.folder.start,
  began: run.folder.start?.tree ?? run.folder.base,
});

/** While the agent runs, its settings contain our hooks, which are not its work. */
const keepMeanwhile = (run: AgentRun, stage: string): Promise<KeptWork> =>
  keepBeside({
    ...keepingOf(run),
    // a settings file that was untracked at the start contains our hooks now
    began: run.folder.base,
    git: worldGit(run.world, { trustProject: run.request.trustProject, env: run.wired.env, signal: run.late }),
    stage,
  });

/** On our own branch in our worktree; elsewhere a branch changes only on request. */
async function keepAtTheEnd(run: AgentRun): Promise<KeptWork> {
  const keeping = { ...keepingOf(run), stage: 'at its end' };
  const { ownBranch: branch } = run.folder;
  if (branch === null && run.request.commit !== 'branch') return withEarlier(keeping, await keepBeside(keeping));
  const options = branch === null ? { allowDefaultBranch: true } : { branch, allowDefaultBranch: false };
  return withEarlier(keeping, await keepOnBranch(keeping, options));
}

/** The launch was interrupted before the agent started: there is nothing to keep. */
export class NotLaunched extends Error {}

function stopIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new NotLaunched(`The agent was not started: ${String(signal.reason)}.`);
}

/** Within the time that service managers give a process after SIGTERM. */
const KEEPING_MS = 30_000;

/** Aborted some time after an interrupt, so that a git that hangs does not delay the end. */
function lateSignal(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const start = () => setTimeout(() => late.abort('the work could not be kept in time'), KEEPING_MS).unref();
  if (signal.aborted) start();
  else signal.addEventListener('abort', start, { once: true });
  return late.signal;
}
