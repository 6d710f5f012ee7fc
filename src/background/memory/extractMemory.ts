import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { TurnFacts } from '../../query/stop/stopWork.ts';
import { findJsonObjects } from '../../schemas/findJson.ts';
import { type ExtractionCursor, extractionAnswer, extractionCursor, proposedMemory } from '../../schemas/memory.ts';
import { writeFileAtomically } from '../../system/atomicFile.ts';
import { type Clock, wallNow } from '../../system/clock.ts';
import type { BackgroundTask, TaskContext, TaskEnd } from '../governor/governor.ts';
import { askFork } from '../snapshot/askFork.ts';
import { answerOf } from '../turnAnswer.ts';
import { decideExtraction } from './decideExtraction.ts';
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
 * Learns from a turn. A fork of the conversation proposes facts in words; it has no tool to write with, because any tool
 * of its own would change the request's first bytes and lose the provider's cache. What is kept is decided here, one by
 * one, and goes to the memory folder and nowhere else.
 */
export function memoryExtraction(facts: ExtractionFacts): BackgroundTask {
  return { kind: 'memory_extraction', run: (context) => extract(facts, context) };
}

async function extract(facts: ExtractionFacts, { asker, signal }: TaskContext): Promise<TaskEnd> {
  const { turn, memoryDir, sessionFolder } = facts;
  const messages = turn.snapshot.messages.toArray();
  const unseen = unseenMessages(messages, await readCursor(sessionFolder));
  const evidence = evidenceIn(unseen, memoryDir, facts.hidden);
  const decision = decideExtraction({ wroteMemory: wroteMemory(turn.assistantMessages, memoryDir), evidence });
  if (decision.type === 'skip') {
    if (decision.forget) await writeCursor(sessionFolder, cursorAt(messages));
    return { type: 'skipped', reason: decision.reason };
  }
  const known = await readMemories(memoryDir);
  const reply = await askFork(asker, turn.snapshot.model, {
    base: { ...turn.snapshot, answer: answerOf(turn) },
    question: extractionQuestion(evidence, known),
    options: { maxOutputTokens: MAX_OUTPUT_TOKENS },
  });
  if (reply.type === 'refused') return { type: 'skipped', reason: reply.reason };
  if (reply.type === 'failed' || signal.aborted) {
    return { type: 'failed', reason: reply.type === 'failed' ? reply.reason : 'interrupted' };
  }
  const end = await keep(reply.text, evidence, known, facts);
  // also after an answer that was of no use: the same words would bring the same answer, for the same money
  await writeCursor(sessionFolder, cursorAt(messages));
  return end;
}

async function keep(
  text: string,
  evidence: readonly Evidence[],
  before: readonly Memory[],
  { memoryDir, turn, clock }: ExtractionFacts,
): Promise<TaskEnd> {
  const proposals = readProposals(text);
  if (!proposals) return { type: 'failed', reason: 'its answer was not the JSON object that was asked for' };
  const known = new Map(before.map((memory) => [memory.name, memory]));
  const { sessionId } = turn.snapshot;
  const written: string[] = [];
  const refused: string[] = [];
  for (const value of proposals) {
    const proposal = proposedMemory.safeParse(value);
    const judged = proposal.success
      ? judgeProposal(proposal.data, { evidence, known: [...known.values()], sessionId, now: wallNow(clock) })
      : ({ type: 'refused', reason: 'a fact without the fields that were asked for' } as const);
    if (judged.type === 'refused') {
      refused.push(judged.reason);
      continue;
    }
    await writeMemory(memoryDir, judged.memory);
    known.set(judged.memory.name, judged.memory);
    written.push(judged.memory.name);
  }
  if (written.length > 0) await writeIndex(memoryDir);
  return { type: 'ran', reason: inWords(written, refused) };
}

function readProposals(text: string): readonly unknown[] | undefined {
  const answers = findJsonObjects(text).flatMap((value) => {
    const read = extractionAnswer.safeParse(value);
    return read.success ? [read.data.memories] : [];
  });
  return answers.at(-1)?.slice(0, MAX_PROPOSALS);
}

function inWords(written: readonly string[], refused: readonly string[]): string {
  const kept = written.length === 0 ? 'nothing worth keeping' : `kept ${written.join(', ')}`;
  return refused.length === 0 ? kept : `${kept}; left out: ${refused.join('; ')}`;
}

async function readCursor(sessionFolder: string): Promise<ExtractionCursor | undefined> {
  try {
    return extractionCursor.safeParse(JSON.parse(await readFile(cursorFile(sessionFolder), 'utf8'))).data;
  } catch {
    // none yet, or torn: everything is new, and what is known already is not kept twice
    return undefined;
  }
}

async function writeCursor(sessionFolder: string, cursor: ExtractionCursor): Promise<void> {
  await mkdir(sessionFolder, { recursive: true, mode: 0o700 });
  await writeFileAtomically(cursorFile(sessionFolder), JSON.stringify(cursor), { mode: 0o600 });
}

const START_OF_EVIDENCE = 120;

/** What the fork is asked. Examples of what not to keep are there because that is most of what models propose. */
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
