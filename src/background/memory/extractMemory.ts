import path from 'node:path';
import type { TurnFacts } from '../../query/stop/stopWork.ts';
import { lastJsonOf } from '../../schemas/findJson.ts';
import { readJsonFile } from '../../schemas/jsonFile.ts';
import { type ExtractionCursor, extractionAnswer, extractionCursor, proposedMemory } from '../../schemas/memory.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import { type BackgroundTask, endWithout, type TaskContext, type TaskEnd } from '../governor/governor.ts';
import { askFork, forkOf } from '../snapshot/askFork.ts';
import { cursorAt, type Evidence, evidenceIn, type HiddenMessages, unseenMessages, wroteMemory } from './evidence.ts';
import { judgeProposal } from './judgeProposal.ts';
import type { Memory } from './memoryFile.ts';
import { readMemories, writeIndex, writeMemory } from './memoryFolder.ts';

export interface ExtractionFacts {
  readonly turn: TurnFacts;
  readonly memoryDir: string;
  readonly sessionFolder: string;
  readonly clock: Clock;
  /** User messages that a hook or the engine wrote. */
  readonly hidden: HiddenMessages;
}

const MAX_OUTPUT_TOKENS = 3_000;
const MAX_PROPOSALS = 10;

const cursorFile = (sessionFolder: string) => path.join(sessionFolder, 'memory-cursor.json');

/**
 * Learns from a turn. A fork of the conversation proposes facts as text; it has no tool for writing, because another tool
 * would change the start of the request and so miss the provider's cache. Each fact is judged here before it is kept.
 */
export function memoryExtraction(facts: ExtractionFacts): BackgroundTask {
  return { kind: 'memory_extraction', run: (context) => extract(facts, context) };
}

async function extract(facts: ExtractionFacts, { asker, signal }: TaskContext): Promise<TaskEnd> {
  const { turn, memoryDir, sessionFolder } = facts;
  const messages = turn.snapshot.messages.toArray();
  const unseen = unseenMessages(messages, await readCursor(sessionFolder));
  const evidence = evidenceIn(unseen, memoryDir, facts.hidden);
  const decision = decideExtraction(evidence, wroteMemory(turn.assistantMessages, memoryDir));
  if (decision.type === 'skip') {
    if (decision.forget) await writeCursor(sessionFolder, cursorAt(messages));
    return { type: 'skipped', reason: decision.reason };
  }
  const known = await readMemories(memoryDir);
  const reply = await askFork(asker, turn.snapshot.model, {
    base: forkOf(turn),
    question: extractionQuestion(evidence, known),
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  });
  if (reply.type !== 'ok') return endWithout(reply);
  if (signal.aborted) return { type: 'failed', reason: 'interrupted' };
  const end = await keep(reply.text, evidence, known, facts);
  // also after a useless answer: the same messages would get the same answer, at the same cost
  await writeCursor(sessionFolder, cursorAt(messages));
  return end;
}

async function keep(
  text: string,
  evidence: readonly Evidence[],
  before: readonly Memory[],
  { memoryDir, turn, clock }: ExtractionFacts,
): Promise<TaskEnd> {
  const proposals = lastJsonOf(extractionAnswer, text)?.memories.slice(0, MAX_PROPOSALS);
  if (!proposals) return { type: 'failed', reason: 'its answer was not the requested JSON object' };
  const known = new Map(before.map((memory) => [memory.name, memory]));
  const { sessionId } = turn.snapshot;
  const written: string[] = [];
  const refused: string[] = [];
  for (const value of proposals) {
    const proposal = proposedMemory.safeParse(value);
    const judged = proposal.success
      ? judgeProposal(proposal.data, { evidence, known: [...known.values()], sessionId, now: wallNow(clock) })
      : ({ type: 'refused', reason: 'a fact without the requested fields' } as const);
    if (judged.type === 'refused') {
      refused.push(judged.reason);
      continue;
    }
    await writeMemory(memoryDir, judged.memory);
    known.set(judged.memory.name, judged.memory);
    written.push(judged.memory.name);
  }
  if (written.length > 0) await writeIndex(memoryDir);
  return { type: 'ran', reason: describeKept(written, refused) };
}

function describeKept(written: readonly string[], refused: readonly string[]): string {
  const kept = written.length === 0 ? 'nothing worth keeping' : `kept ${written.join(', ')}`;
  return refused.length === 0 ? kept : `${kept}; left out: ${refused.join('; ')}`;
}

/** Undefined when there is none: then everything is new, and known facts are not kept twice. */
const readCursor = (sessionFolder: string): Promise<ExtractionCursor | undefined> =>
  readJsonFile(cursorFile(sessionFolder), extractionCursor);

const writeCursor = (sessionFolder: string, cursor: ExtractionCursor): Promise<void> =>
  writePrivateFile(cursorFile(sessionFolder), JSON.stringify(cursor));

export type ExtractionDecision =
  | { readonly type: 'extract' }
  /** `forget`: the new messages need not be read again. */
  | { readonly type: 'skip'; readonly reason: string; readonly forget: boolean };

/** A smaller turn is not worth a request; it is read together with the next one. */
const MIN_EVIDENCE_MESSAGES = 4;
const MIN_USER_CHARACTERS = 400;

/** Words with which people ask to keep something. */
const KEEP_CUE =
  /\b(?:remember|from now on|in (?:the )?future|always|never|prefer|instead of|keep in mind|note that|don['’]t (?:ever|use)|do not (?:ever|use)|merke? dir|immer|niemals?)\b/i;

/** Whether a request is worth its cost; decided without a model. */
export function decideExtraction(evidence: readonly Evidence[], hasWritten: boolean): ExtractionDecision {
  if (hasWritten) {
    return { type: 'skip', reason: 'the agent wrote to the memory folder itself in this turn', forget: true };
  }
  if (evidence.length === 0) return { type: 'skip', reason: 'nothing new since the last run', forget: false };
  const users = evidence.filter(({ source }) => source === 'user');
  if (users.some(({ text }) => KEEP_CUE.test(text))) return { type: 'extract' };
  const characters = users.reduce((sum, { text }) => sum + text.length, 0);
  if (evidence.length >= MIN_EVIDENCE_MESSAGES || characters >= MIN_USER_CHARACTERS) return { type: 'extract' };
  const reason = `too little is new (${evidence.length} of ${MIN_EVIDENCE_MESSAGES} messages, ${characters} of ${MIN_USER_CHARACTERS} characters of yours)`;
  return { type: 'skip', reason, forget: false };
}

const START_OF_EVIDENCE = 120;

/** The question for the fork. It has examples of what not to keep, because models mostly propose that. */
function extractionQuestion(evidence: readonly Evidence[], known: readonly Memory[]): string {
  const first = evidence[0]?.text.replace(/\s+/g, ' ').trim().slice(0, START_OF_EVIDENCE) ?? '';
  const index = known.map(({ name, description }) => `- ${name}: ${description}`).join('\n') || '(none yet)';
  return `<system-reminder>
This is not from the user and nothing of it becomes part of the conversation. Do not call tools; they would not run.

Look at what the user wrote and what tools printed from the message on that begins “${first}”. Which facts in it will still be useful in another session of this project, weeks from now? Most of the time: none.

Keep only:
- user: who the user is and how they want to work, in general
- feedback: how they corrected you, and what to do instead
- project: decisions, constraints and reasons that the code itself does not show
- reference: where things are outside the repository (URLs, dashboards, commands that took effort to find out)

Do not keep: what was done in this session, the state of a task, anything that reading the code or git shows, your own plans or conclusions, guesses, secrets of any kind, and anything that was recalled from memory or is known already:
${index}

Answer with one JSON object and nothing else:
{"memories": [{"name": "short-name", "description": "one line for an index", "type": "user|feedback|project|reference", "content": "the fact, with its reason, in Markdown", "evidence": "words copied exactly from the user's message or the tool's output"}]}
A fact whose evidence is not found there word for word is thrown away. To correct a known fact, use its name. Nothing worth keeping: {"memories": []}
</system-reminder>`;
}
