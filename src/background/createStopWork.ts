import path from 'node:path';
import type { ResolvedModel } from '../models/providers.ts';
import type { Model } from '../models/types.ts';
import { type StopWork, type TurnCleanups, type TurnFacts, turnCleanups } from '../query/stop/stopWork.ts';
import type { BackgroundRun } from '../schemas/backgroundRuns.ts';
import { wallNow } from '../system/clock.ts';
import type { Environment } from '../system/environment.ts';
import type { Ids } from '../system/ids.ts';
import { type ComputerUse, computerUse } from './cleanup/computerUseLock.ts';
import { autoDream } from './dream/dream.ts';
import { createGovernor, type GovernorFacts } from './governor/governor.ts';
import { fileRunLog, type RunLog } from './governor/runLog.ts';
import { asksAboutJobs, jobDirOf } from './governor/switches.ts';
import { jobClassification } from './job/classifyJob.ts';
import { jobByTerminal } from './job/jobByTerminal.ts';
import { type JobReports, jobReports, noJob } from './job/jobReports.ts';
import { detailLine } from './job/jobRules.ts';
import { lastPromptOf } from './lastPrompt.ts';
import type { HiddenMessages } from './memory/evidence.ts';
import { memoryExtraction } from './memory/extractMemory.ts';
import { memoryFolder } from './memory/memoryFolder.ts';
import { answerOf } from './snapshot/askFork.ts';
import { snapshotStore } from './snapshot/snapshotStore.ts';
import { type PromptSuggestion, promptSuggestion } from './suggestPrompt.ts';
import { taskName } from './taskName.ts';

export interface StopWorkOptions extends Omit<GovernorFacts, 'project' | 'log' | 'random'> {
  readonly ids: Ids;
  /** 0 ≤ n < 1; for jitter. */
  readonly random?: () => number;
  readonly env: Environment;
  readonly stopgateHome: string;
  readonly projectDir: string;
  /** Where this project's transcripts and memory are. */
  readonly sessionsDir: string;
  readonly resolveModel: (name: string) => ResolvedModel;
  readonly bare: boolean;
  /** False keeps the conversation off the disk; default: true. */
  readonly keeps?: boolean;
  /** Tasks of the agent's list that are not completed. */
  readonly openTasks?: () => Promise<number>;
  /** User messages of the session that a hook or the engine wrote. */
  readonly hiddenMessages?: () => HiddenMessages;
  /** Called with each guess at the next prompt, to show it. */
  readonly onSuggestion?: (suggestion: PromptSuggestion) => void;
  /** Called with the outcome of each piece of work, to show it. */
  readonly onBackgroundRun?: (run: BackgroundRun) => void;
  /** In place of `background.jsonl`. */
  readonly log?: RunLog;
}

/** The work around a session's stops. */
export interface SessionStopWork extends StopWork {
  /** Called when the session begins; resolves when the job's state is written. */
  start(): Promise<void>;
  /** Waits for running work, no longer than `ms`; returns sentences about what went wrong. */
  drain(ms: number): Promise<readonly string[]>;
  /** The decisions so far, in order. */
  runs(): readonly BackgroundRun[];
  /** The latest guess at the next prompt; gone when the next turn ends. */
  suggestion(): PromptSuggestion | undefined;
  /** Where tools register what must be undone when the turn ends. */
  readonly cleanups: TurnCleanups;
  readonly computerUse: ComputerUse;
}

/** The turn waits for a job's state, but not for a slower model. */
const JOB_TIMEOUT_MS = 50_000;

export function createStopWork(options: StopWorkOptions): SessionStopWork {
  const { clock, ids, sessionsDir, sessionId, stopgateHome } = options;
  const problems = new Set<string>();
  const onFailure = (sentence: string) => void problems.add(sentence);
  const sessionFolder = path.join(sessionsDir, sessionId);
  const governor = createGovernor({
    ...options,
    random: options.random ?? Math.random,
    log: shownTo(options.onBackgroundRun, options.log ?? fileRunLog(stopgateHome, onFailure)),
    project: options.projectDir,
  });
  const snapshots = snapshotStore(options.keeps === false ? null : sessionFolder, clock);
  const job = jobFor(options, onFailure);
  const cleanups = turnCleanups(options.logEvent);
  let suggestion: PromptSuggestion | undefined;

  const suggest = (turn: TurnFacts) => {
    suggestion = undefined;
    return promptSuggestion(turn, (text) => {
      suggestion = { text, sessionId, suggestedAt: wallNow(clock) };
      options.onSuggestion?.(suggestion);
    });
  };
  const remember = async (turn: TurnFacts) => {
    const memoryDir = memoryFolder(sessionsDir);
    const hidden = hiddenOf(options);
    await governor.submit(memoryExtraction({ turn, memoryDir, sessionFolder, clock, hidden }));
    // afterwards, so that new facts are consolidated too
    const model = helperModel(turn.snapshot.model, options);
    await governor.submit(autoDream({ memoryDir, sessionsDir, model, clock, ids }));
  };
  return {
    start: () => job.started(),
    saveCacheSafeParams: (params) => snapshots.save(params),
    classifyJob: async (turn) => {
      if (!isMainThread(turn)) return;
      snapshots.answered(turn.snapshot, answerOf(turn));
      if (!options.switches.job_classification.on) return;
      await governor.submit(jobTask(turn, job, options));
    },
    startAfterTurn: (turn) => {
      if (options.bare || !isMainThread(turn)) return;
      snapshots.answered(turn.snapshot, answerOf(turn));
      void governor.submit(suggest(turn));
      void remember(turn);
    },
    turnEnded: async (end) => {
      const verdict = jobByTerminal(end);
      if (verdict) await job.report({ ...verdict, detail: detailLine(verdict.detail) }, 'rules');
    },
    registerCleanup: cleanups.register,
    cleanUpTurn: () => cleanups.run(),
    drain: async (ms) => {
      await governor.drain(ms);
      const unwritten = await snapshots.written();
      await job.ended();
      const sentences = [exitWarning(governor.records()), unwritten, ...problems];
      return sentences.filter((sentence) => sentence !== undefined);
    },
    runs: () => governor.records(),
    suggestion: () => suggestion,
    cleanups,
    computerUse: computerUse(options, cleanups),
  };
}

const shownTo = (onRun: (run: BackgroundRun) => void = () => {}, { append }: RunLog): RunLog => ({
  append: (run) => {
    append(run);
    onRun(run);
  },
});

const hiddenOf = ({ hiddenMessages }: StopWorkOptions): HiddenMessages => hiddenMessages?.() ?? new Set();

function jobFor(
  { env, sessionId, projectDir, clock }: StopWorkOptions,
  onFailure: (sentence: string) => void,
): JobReports {
  const jobDir = jobDirOf(env);
  return jobDir
    ? jobReports({ jobDir: path.resolve(projectDir, jobDir), sessionId, cwd: projectDir, clock, onFailure })
    : noJob;
}

function jobTask(turn: TurnFacts, job: JobReports, options: StopWorkOptions) {
  const lastPrompt = lastPromptOf(turn.snapshot.messages, hiddenOf(options));
  const task = jobClassification(turn, {
    model: asksAboutJobs(options) ? helperModel(smallModel(turn.snapshot.model, options), options) : undefined,
    openTasks: options.openTasks ?? (async () => 0),
    write: (verdict, decidedBy) => job.report(verdict, decidedBy, lastPrompt),
  });
  return { ...task, timeoutMs: JOB_TIMEOUT_MS, signal: turn.signal };
}

/** The model that the user named for background work, else the given one. */
function helperModel(given: Model, options: StopWorkOptions): Model {
  const named = options.env.STOPGATE_BACKGROUND_MODEL;
  const resolved = named ? options.resolveModel(named) : undefined;
  return resolved?.type === 'ok' ? resolved.model : given;
}

/** A short question needs only a small model, if the provider has one. */
function smallModel(model: Model, { resolveModel }: StopWorkOptions): Model {
  if (!model.id.startsWith('anthropic/')) return model;
  const small = resolveModel('haiku');
  return small.type === 'ok' ? small.model : model;
}

/** Whether this is the user's own conversation, not a subagent's; only then work follows a turn. */
function isMainThread({ querySource, agentId }: TurnFacts): boolean {
  return agentId === undefined && (querySource === 'repl_main_thread' || querySource === 'sdk');
}

/** One sentence about all failed background work, if any. The turn itself is not affected. */
function exitWarning(runs: readonly BackgroundRun[]): string | undefined {
  const bad = runs.filter(({ outcome }) => outcome === 'failed' || outcome === 'cancelled');
  if (bad.length === 0) return undefined;
  const endings = bad.map(({ task, outcome, reason }) => {
    const what = outcome === 'failed' ? 'failed' : 'was ended';
    return `${taskName(task)} ${what} (${reason.replace(/\.$/, '')})`;
  });
  return `After the turn, ${[...new Set(endings)].join('; ')}. The answer is not affected; \`stopgate status\` shows what ran.`;
}
