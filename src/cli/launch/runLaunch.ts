import { planLaunch } from '../../budget/launchPlan.ts';
import { findConfig } from '../../gates/checks/findConfig.ts';
import type { HostFeature } from '../../hosts/claudeCode/entries.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { commitsSince } from '../../system/git/commitsSince.ts';
import { type Git, openGit } from '../../system/git/git.ts';
import { listenForInterrupts, SIGNAL_EXIT } from '../interrupts.ts';
import { paintFor } from '../output/colours.ts';
import { drained, processWriter, type Writer } from '../output/writer.ts';
import { thisWorld, type World } from '../world.ts';
import { type AgentCommand, agentCommand } from './agentCommand.ts';
import { type KeptWork, keepBeside, keepOnBranch } from './keepWork.ts';
import { launchEnvironment } from './launchEnvironment.ts';
import { openLaunchRecord } from './launchRecord.ts';
import { commitsOf, endingOf, type LaunchReport, reportText } from './launchReport.ts';
import type { LaunchRequest } from './launchRequest.ts';
import { type LaunchFolder, openFolder } from './openFolder.ts';
import { startText } from './startText.ts';
import { superviseAgent } from './superviseAgent.ts';
import { tellMoments } from './tellMoments.ts';
import { watchSpend } from './watchSpend.ts';
import { type WiredAgent, wireAgent } from './wireAgent.ts';

/**
 * `stopgate launch`: an agent on a clock it can see, whose work is kept however it ends.
 *
 * In order: a folder (its own work tree if asked), our hooks in the agent's settings, a record that says we are here, the
 * agent until it ends or is ended, then the way back: work kept, settings as they were, a report.
 */
export async function runLaunch(request: LaunchRequest): Promise<number> {
  const world = thisWorld();
  const interrupted = new AbortController();
  const writer = processWriter(() => {});
  using interrupts = listenForInterrupts(
    () => world.processes.killAll(),
    (text) => writer.err(`stopgate: ${text}\n`),
  );
  interrupts.signal.addEventListener('abort', () => interrupted.abort(`${interrupts.received()} was received`));
  const report = await launch({ request, world, writer, interrupted });
  await world.processes.endAll();
  await tell(report, { request, world, writer });
  const signal = interrupts.received();
  return signal ? (SIGNAL_EXIT[signal] ?? 1) : report.exitCode;
}

interface Launch {
  readonly request: LaunchRequest;
  readonly world: World;
  readonly writer: Writer;
  /** Aborted with a sentence by whoever wants the agent to end: a person, a limit. */
  readonly interrupted: AbortController;
}

async function launch(facts: Launch): Promise<LaunchReport> {
  const { request, world } = facts;
  const command = agentCommand({
    agent: request.agent,
    words: request.words,
    env: world.env,
    tokenBudget: request.tokenBudget,
    maxBudgetUsd: request.maxBudgetUsd,
  });
  const id = world.ids.uuid().slice(0, 8);
  // a work tree's files are kept even when a signal has ended everything else
  const git = openGit({ processes: world.processes, env: world.env });
  const folder = await openFolder({ git, id, world, worktree: request.worktree });
  await using wired = await wireAgent({
    command,
    features: featuresFor(request, folder.path),
    profile: request.profile,
    folder: folder.path,
    world,
  });
  const report = await runAgent({ ...facts, command, id, git, folder, wired });
  return { ...report, notes: [...folder.notes, ...wired.notes, ...report.notes] };
}

/** The clock always; the definition of done where there is one. Trust is asked when it is run. */
const featuresFor = ({ checks }: LaunchRequest, folder: string): readonly HostFeature[] =>
  checks && findConfig(folder) !== null ? ['countdown', 'landing', 'checks'] : ['countdown', 'landing'];

interface AgentRun extends Launch {
  readonly command: AgentCommand;
  readonly id: string;
  readonly git: Git;
  readonly folder: LaunchFolder;
  readonly wired: WiredAgent;
}

async function runAgent(run: AgentRun): Promise<LaunchReport> {
  const { request, world, command, id, git, folder, writer, interrupted } = run;
  const { clock } = world;
  const startedAt = clock.now();
  const plan = planLaunch({ startedAt, budgetSeconds: request.budgetSeconds, graceSeconds: request.graceSeconds });
  const times = { startedAt: new Date(startedAt).toISOString(), endAt: new Date(plan.endAt).toISOString() };
  const facts = { id, agent: command.name, folder: folder.path, pid: process.pid, ...times };
  await using record = await openLaunchRecord(world.stopgateHome, facts, clock);
  if (!request.quiet) writer.err(startText({ command, request, plan, notes: [...folder.notes, ...run.wired.notes] }));
  const spend = watchSpend({ command, request, env: world.env, stop: (reason) => interrupted.abort(reason) });
  const agentEnd = await superviseAgent({
    processes: world.processes,
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
        trustProject: request.trustProject,
      }),
      input: '',
      onOutput: (stream, chunk) => {
        if (stream === 'stdout') spend.push(chunk);
        (stream === 'stdout' ? writer.out : writer.err)(chunk);
      },
    },
    onMoment: tellMoments({ plan, quiet: request.quiet, writer, keep: () => keepMeanwhile(run) }),
    stop: interrupted.signal,
  });
  // before the last snapshot, which would otherwise hold our own hooks as if they were the agent's work
  const restored = await run.wired.release();
  const kept = await keepAtTheEnd(run);
  const commits = await commitsSince(git, { folder: folder.path, base: folder.base });
  return {
    type: 'launch_report',
    id,
    agent: command.name,
    folder: folder.path,
    ...endingOf(agentEnd),
    startedAt: times.startedAt,
    usedMs: clock.now() - startedAt,
    budgetMs: request.budgetSeconds * 1000,
    ...commitsOf(commits),
    kept,
    spend: spend.total(),
    notes: [...restored, ...spend.notes],
  };
}

const messageOf = ({ command, id }: AgentRun) => `Work of ${command.name} that was not committed (launch ${id})`;

const keep = (run: AgentRun, git = run.git): Promise<KeptWork> =>
  keepBeside({ git, folder: run.folder.path, id: run.id, message: messageOf(run) });

/** While the agent runs its settings hold our hooks, which are not its work. */
const keepMeanwhile = (run: AgentRun): Promise<KeptWork> =>
  keep(run, openGit({ processes: run.world.processes, env: run.wired.env }));

/** In a work tree of ours the branch is ours as well; elsewhere nobody's branch is touched unasked. */
function keepAtTheEnd(run: AgentRun): Promise<KeptWork> {
  const { folder, request, git, id } = run;
  const keeping = { git, folder: folder.path, id, message: messageOf(run) };
  if (folder.ownBranch !== null) return keepOnBranch(keeping, { branch: folder.ownBranch, allowDefaultBranch: false });
  return request.commit === 'branch' ? keepOnBranch(keeping, { allowDefaultBranch: true }) : keep(run);
}

async function tell(report: LaunchReport, { request, world, writer }: Omit<Launch, 'interrupted'>): Promise<void> {
  if (request.reportFile !== undefined) {
    await writeFileAtomically(request.reportFile, `${JSON.stringify(report, null, 2)}\n`).catch((error: Error) =>
      writer.err(`stopgate: the report could not be written to ${request.reportFile}: ${error.message}.\n`),
    );
  }
  if (request.json) writer.out(`${JSON.stringify(report)}\n`);
  // whoever wants no lines still wants to hear of what went wrong
  const isGood = report.how === 'finished' && report.kept.type !== 'notKept';
  if (!request.quiet || !isGood) writer.err(reportText(report, paintFor(writer.errIsTerminal, world.env)));
  await drained();
}
