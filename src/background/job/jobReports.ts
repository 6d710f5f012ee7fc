import type { JobState } from '../../schemas/jobState.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import type { JobVerdict } from './jobRules.ts';
import { writeJobState } from './jobStateFile.ts';

/** Reports a background job's state to the process that started it, from start to end. */
export interface JobReports {
  /** Called when the session begins; replaces the state of an earlier session. */
  started(): Promise<void>;
  report(verdict: JobVerdict, decidedBy: JobState['decidedBy'], lastPrompt?: string): Promise<void>;
  /** Called when the session ends. A session without an answer has failed. */
  ended(): Promise<void>;
}

export const noJob: JobReports = { started: async () => {}, report: async () => {}, ended: async () => {} };

export function jobReports(facts: {
  readonly jobDir: string;
  readonly sessionId: string;
  readonly cwd: string;
  readonly clock: Clock;
  readonly onFailure: (sentence: string) => void;
}): JobReports {
  const { jobDir, sessionId, cwd, clock, onFailure } = facts;
  let isOpen = false;
  // one after the other, so that an earlier state never replaces a later one
  let written: Promise<void> = Promise.resolve();
  const report: JobReports['report'] = ({ state, detail }, decidedBy, lastPrompt) => {
    const updatedAt = new Date(wallNow(clock)).toISOString();
    const job = { state, detail, sessionId, cwd, updatedAt, decidedBy, ...(lastPrompt ? { lastPrompt } : {}) };
    isOpen = decidedBy === 'session';
    written = written
      .then(() => writeJobState(jobDir, job))
      .catch((error: Error) => onFailure(`The job's state cannot be written to ${jobDir}: ${error.message}.`));
    return written;
  };
  return {
    started: () => report({ state: 'working', detail: 'The session has started.' }, 'session'),
    report,
    ended: async () => {
      const detail = 'The session ended without an answer: it was interrupted, or the model could not be reached.';
      if (isOpen) void report({ state: 'failed', detail }, 'rules');
      await written;
    },
  };
}
