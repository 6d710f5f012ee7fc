import { jobByTerminal } from '../../../background/job/jobByTerminal.ts';
import { type JobVerdict, jobByDefault, jobByRules } from '../../../background/job/jobRules.ts';
import { lastPromptOf } from '../../../background/lastPrompt.ts';
import type { ConversationMessage } from '../../../models/types.ts';
import type { Terminal } from '../../../query/terminal.ts';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { transcriptLineSchema } from '../../../schemas/transcript.ts';
import { textOf } from '../../../session/conversation.ts';
import { joinBlocks } from '../../../session/messageBlocks.ts';
import type { AssistantMessage, Message } from '../../../session/messages.ts';
import { readLastLinesSync } from '../../../system/readTextFile.ts';

/** A session without an answer that has been silent for this long has ended. */
const SILENCE_MS = 10 * 60_000;

/** The state of a session, judged by the end of its transcript alone. */
export function glanceAt(messages: readonly Message[], silentMs: number) {
  const conversation = messages.filter((message) => message.type === 'user' || message.type === 'assistant');
  const own = conversation.flatMap((m): ConversationMessage[] => (m.type === 'user' && !m.isMeta ? [m.message] : []));
  return { ...(verdictOfEnd(messages) ?? verdictOn(conversation, silentMs)), lastPrompt: lastPromptOf(own) };
}

/** For a last turn that ended without an answer, if no message followed. */
function verdictOfEnd(messages: readonly Message[]): JobVerdict | undefined {
  const last = messages.at(-1);
  if (last?.type !== 'system' || last.subtype !== 'turn_end') return undefined;
  return jobByTerminal({ ...(last.data?.terminal as Terminal), reason: last.content } as Terminal);
}

function verdictOn(conversation: readonly Message[], silentMs: number): JobVerdict {
  const last = conversation.at(-1);
  if (last?.type === 'assistant' && last.apiError) {
    return { state: 'failed', detail: textOf(last) || `The model request failed (${last.apiError}).` };
  }
  if (last?.type === 'assistant' && !callsTools(last)) {
    const facts = { answers: [textOf(last)].filter(Boolean), stopReason: last.message.stop_reason, openTasks: 0 };
    return jobByRules(facts) ?? jobByDefault(facts);
  }
  if (silentMs < SILENCE_MS) return { state: 'working', detail: 'No answer yet.' };
  return { state: 'failed', detail: 'It ended without an answer.' };
}

const callsTools = ({ message }: AssistantMessage) => message.content.some(({ type }) => type === 'tool_use');

const TAIL_BYTES = 256 * 1024;

/** The last messages of a transcript, without reading the whole file. */
export function transcriptTail(file: string): readonly Message[] {
  const read = readLastLinesSync(file, TAIL_BYTES);
  return read.type === 'read' ? joinBlocks(read.text.split('\n').flatMap(parseLine)) : [];
}

function parseLine(line: string): Message[] {
  const parsed = transcriptLineSchema.safeParse(jsonValue(line));
  // the schema checks only the fields that are used here
  return parsed.success ? [parsed.data as unknown as Message] : [];
}
