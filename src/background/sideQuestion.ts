import type { Model } from '../models/types.ts';
import type { BackgroundRun } from '../schemas/backgroundRuns.ts';
import type { SnapshotFile } from '../schemas/snapshot.ts';
import type { Governor } from './governor/governor.ts';
import { askFork, type ForkBase } from './snapshot/askFork.ts';

export interface SideAnswer {
  readonly run: BackgroundRun;
  /** Undefined when it failed, see `run.reason`. */
  readonly answer: string | undefined;
}

const MAX_OUTPUT_TOKENS = 4_000;

/** Asks a question about a session, from its snapshot: without tools, and not recorded in the session. */
export async function askSideQuestion(
  governor: Governor,
  model: Model,
  { base, question }: { readonly base: ForkBase; readonly question: string },
): Promise<SideAnswer> {
  let answer: string | undefined;
  const run = await governor.submit({
    kind: 'side_question',
    run: async ({ asker }) => {
      const asked = { base, question: sideQuestion(question), maxOutputTokens: MAX_OUTPUT_TOKENS };
      const reply = await askFork(asker, model, asked);
      if (reply.type !== 'ok') return { type: 'failed', reason: reply.reason };
      if (reply.text === '') return { type: 'failed', reason: 'the model answered without words' };
      answer = reply.text;
      return { type: 'ran', reason: 'answered' };
    },
  });
  return { run, answer };
}

function sideQuestion(question: string): string {
  return `<system-reminder>
What follows is a side question from the user. Answer it in one reply, from what this conversation already shows. There are no tools: do not call any, and do not promise to do anything. The conversation goes on as if it had not been asked.
</system-reminder>

${question}`;
}

export function forkFrom({ system, tools, messages, answer }: SnapshotFile): ForkBase {
  return { system, tools, messages, answer: answer ?? undefined };
}
