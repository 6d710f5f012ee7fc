import path from 'node:path';
import { jobDirOf } from '../../../background/governor/switches.ts';
import { type FoundJob, readJobs } from '../../../background/job/jobStateFile.ts';
import type { JobStateName } from '../../../schemas/jobState.ts';
import { listSessions, projectSessionsDir } from '../../../session/transcript/sessionFiles.ts';
import { readSession } from '../../../stop/readLedger.ts';
import { outcomeOf } from '../../../stop/receipts/outcomeOf.ts';
import { wallNow } from '../../../system/clock.ts';
import { formatAgo } from '../../../system/formatDuration.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { markedOutcome, type Outcome, outcomeOfEnding, outcomeStyle } from '../../output/outcomes.ts';
import { printResult } from '../../output/printResult.ts';
import { shortIds } from '../../output/shortIds.ts';
import { type Cell, type Column, columnsText, NARROW } from '../../output/table.ts';
import { oneLine } from '../../output/visibleText.ts';
import { glanceAt, transcriptTail } from '../status/sessionState.ts';
import { wholeNumber } from '../task/readFlags.ts';
import type { Flags } from '../task/taskOptions.ts';

const STYLES: Readonly<Record<JobStateName, NonNullable<Cell['style']>>> = {
  working: 'cyan',
  needs_input: 'yellow',
  blocked: 'yellow',
  done: 'green',
  failed: 'red',
};

const PROMPT_WIDTH = 32;
const LISTED_PROMPT_WIDTH = 200;

export async function runList(options: Flags<never, 'json'> & { readonly limit: string }): Promise<number> {
  const world = thisWorld();
  const sessions = await gatherList(world, wholeNumber('--limit', options.limit, { least: 1 }));
  return printResult(options.json ? sessions : null, world, (page, isTerminal) => {
    if (sessions.length === 0)
      return `${page.block(`No sessions in ${world.cwd} yet; stopgate -p "…" starts one.`, 0)}\n`;
    const short = shortIds(sessions.map(({ id }) => id));
    return `${columnsText(page, columnsAt(wallNow(world.clock), { isTerminal, isNarrow: page.width < NARROW, short }), sessions)}\n`;
  });
}

interface ListLayout {
  readonly isTerminal: boolean;
  /** A list has room for the whole prompt. */
  readonly isNarrow: boolean;
  readonly short: (id: string) => string;
}

const columnsAt = (now: number, { isTerminal, isNarrow, short }: ListLayout): readonly Column<ListedSession>[] => [
  // `ask` accepts the beginning of an id
  { title: 'SESSION', cell: ({ id }) => ({ text: isTerminal ? short(id) : id }) },
  { title: 'WHEN', cell: ({ at }) => ({ text: formatAgo(Date.parse(at), now) }) },
  { title: 'STATE', cell: stateCell },
  {
    title: 'LAST PROMPT',
    cell: ({ lastPrompt }) => ({
      text: oneLine(lastPrompt ?? '', isTerminal ? (isNarrow ? LISTED_PROMPT_WIDTH : PROMPT_WIDTH) : undefined),
      style: 'dim',
    }),
  },
  { title: 'DETAILS', cell: ({ detail }) => ({ text: detail }) },
];

/** An answer of the gate says more than that a session is done. */
function stateCell({ state, outcome }: ListedSession): Cell {
  if (state !== 'done' || outcome === null) return { text: state, style: STYLES[state] };
  return { text: markedOutcome(outcome), style: outcomeStyle(outcome) };
}

/** One session or job, as a list shows it. */
interface ListedSession {
  readonly id: string;
  /** When it was last active, in ISO 8601. */
  readonly at: string;
  readonly state: JobStateName;
  readonly detail: string;
  /** How the checks at its last stop ended; null where none were armed. */
  readonly outcome: Outcome | null;
  /** A job's own `state.json`, or the end of the transcript. */
  readonly decidedBy: FoundJob['decidedBy'] | 'transcript';
  readonly lastPrompt: string | null;
  readonly folder: string;
  readonly jobDir: string | null;
}

/** A transcript written this much later than the job's state means that the session has continued. */
const CONTINUED_MS = 60_000;

/** The sessions of this folder and the jobs of STOPGATE_JOB_DIR, latest first. */
async function gatherList(world: World, limit: number): Promise<readonly ListedSession[]> {
  const { env, cwd, stopgateHome } = world;
  const jobDir = jobDirOf(env);
  const jobs = jobDir === undefined ? [] : await readJobs(path.resolve(cwd, jobDir));
  const sessions = (await listSessions(projectSessionsDir(stopgateHome, cwd))).slice(0, limit);
  const ids = new Set(sessions.map(({ id }) => id));
  const listed = sessions.map(({ id, file, modifiedAt }): ListedSession => {
    const job = jobs.find(({ sessionId }) => sessionId === id);
    if (job && Date.parse(job.updatedAt) + CONTINUED_MS >= modifiedAt) return listedJob(job, stopgateHome);
    const messages = transcriptTail(file);
    const { lastPrompt, ...verdict } = glanceAt(messages, wallNow(world.clock) - modifiedAt);
    return {
      id,
      at: new Date(modifiedAt).toISOString(),
      ...verdict,
      ...gateOutcome(id, verdict, stopgateHome),
      decidedBy: 'transcript',
      lastPrompt: lastPrompt ?? null,
      folder: cwd,
      jobDir: job?.jobDir ?? null,
    };
  });
  const elsewhere = jobs.filter(({ sessionId }) => !ids.has(sessionId)).map((job) => listedJob(job, stopgateHome));
  return [...listed, ...elsewhere].toSorted((a, b) => b.at.localeCompare(a.at)).slice(0, limit);
}

/** From the ledger, never from what an agent wrote. */
function gateOutcome(
  session: string,
  { state, detail }: Pick<ListedSession, 'state' | 'detail'>,
  stopgateHome: string,
) {
  const { type, reason } = outcomeOf(readSession(stopgateHome, session));
  const outcome = outcomeOfEnding(type);
  if (outcome === null || outcome === 'not armed') return { outcome: null, detail };
  return { outcome, detail: state === 'done' && outcome !== 'passed' ? reason : detail };
}

function listedJob(job: FoundJob, stopgateHome: string): ListedSession {
  const { sessionId: id, updatedAt: at, state, detail, decidedBy, cwd: folder, jobDir } = job;
  return {
    id,
    at,
    state,
    ...gateOutcome(id, { state, detail }, stopgateHome),
    decidedBy,
    lastPrompt: job.lastPrompt ?? null,
    folder,
    jobDir,
  };
}
