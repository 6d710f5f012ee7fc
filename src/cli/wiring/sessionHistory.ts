import { makeMessages } from '../../session/makeMessages.ts';
import type { Message } from '../../session/messages.ts';
import { type ReadTranscript, readTranscript } from '../../session/transcript/readTranscript.ts';
import { resumeMessages } from '../../session/transcript/resumeMessages.ts';
import { isSessionId, listSessions, sessionFile } from '../../session/transcript/sessionFiles.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';

export interface SessionHistory {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly source: 'startup' | 'resume' | 'fork';
  readonly warnings: readonly string[];
  /** The line of the transcript that the next one follows. */
  readonly lastUuid?: string;
  /** The model that it was held with before. */
  readonly model?: SessionModel;
}

/** `chosen` as a person would name it; `written` is a provider's own name, from a transcript of an earlier version. */
export interface SessionModel {
  readonly type: 'chosen' | 'written';
  readonly name: string;
}

/** Takes a session for this process alone before it is read; refuses with a sentence when another process has it. */
export type HoldSession = (sessionsDir: string, sessionId: string) => Promise<void>;

type Flags = Pick<PromptFlags, 'resume' | 'continue' | 'forkSession' | 'sessionId'>;

/** Which session this is and what was said in it before: a new one, a named one, or the folder's latest. */
export async function sessionHistory(
  flags: Flags,
  sessionsDir: string,
  world: World,
  hold: HoldSession,
): Promise<SessionHistory> {
  const asked = await resumedId(flags, sessionsDir);
  const id = asked === undefined ? undefined : await wholeId(asked, sessionsDir);
  if (id !== undefined && !flags.forkSession) {
    if (await isThere(id, sessionsDir)) await hold(sessionsDir, id);
    return resumed(id, sessionsDir, world);
  }
  const sessionId = flags.sessionId ?? world.ids.uuid();
  requireId(sessionId);
  if ((await listSessions(sessionsDir)).some((session) => session.id === sessionId)) {
    throw new UserError(`Session ${sessionId} exists already; go on with it by --resume ${sessionId}.`);
  }
  await hold(sessionsDir, sessionId);
  if (id === undefined) {
    const warnings = flags.continue ? [`There is no session in ${world.cwd} to continue; this is a new one.`] : [];
    return { sessionId, messages: [], source: 'startup', warnings };
  }
  const { lastUuid: _notHere, ...copied } = await resumed(id, sessionsDir, world);
  return { ...copied, sessionId, source: 'fork' };
}

async function resumedId(flags: Flags, sessionsDir: string): Promise<string | undefined> {
  if (flags.resume !== undefined) return flags.resume;
  if (!flags.continue) return undefined;
  const [latest] = await listSessions(sessionsDir);
  return latest?.id;
}

async function resumed(sessionId: string, sessionsDir: string, world: World): Promise<SessionHistory> {
  const file = sessionFile(sessionsDir, sessionId);
  const read = await readTranscript(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UserError(`The transcript ${file} cannot be read: ${error.message}.`);
    throw new UserError(
      `There is no session ${sessionId} for ${world.cwd}; \`stopgate list\` shows those there are.`,
      1,
    );
  });
  const messages = resumeMessages(read.messages, makeMessages(world.clock, world.ids));
  const model = sessionModel(read);
  const { lastUuid } = read;
  return {
    sessionId,
    messages,
    source: 'resume',
    warnings: readWarnings(read, file),
    ...(lastUuid === undefined ? {} : { lastUuid }),
    ...(model ? { model } : {}),
  };
}

function readWarnings({ skippedLines, otherLines }: ReadTranscript, file: string): string[] {
  const skipped = skippedLines.length;
  const warnings: string[] = [];
  if (skipped > 0)
    warnings.push(
      `${skipped} line${skipped === 1 ? '' : 's'} of ${file} could not be read and ${skipped === 1 ? 'was' : 'were'} left out (line ${skippedLines.slice(0, 5).join(', ')}).`,
    );
  if (otherLines > 0)
    warnings.push(
      `Two runs wrote to ${file} at the same time: this one goes on from the latest answer, without ${otherLines === 1 ? 'a line' : `${otherLines} lines`} of the other.`,
    );
  return warnings;
}

function sessionModel({ sessionModel: chosen, messages }: ReadTranscript): SessionModel | undefined {
  if (chosen !== undefined) return { type: 'chosen', name: chosen };
  const answer = messages.findLast((message) => message.type === 'assistant' && !message.apiError);
  return answer?.type === 'assistant' ? { type: 'written', name: answer.message.model } : undefined;
}

const isThere = async (id: string, sessionsDir: string): Promise<boolean> =>
  (await listSessions(sessionsDir)).some((session) => session.id === id);

/** A session may be named by the beginning of its id, as `stopgate list` shows it. */
async function wholeId(asked: string, sessionsDir: string): Promise<string> {
  requireId(asked);
  const found = (await listSessions(sessionsDir)).map(({ id }) => id).filter((id) => id.startsWith(asked));
  if (found.includes(asked) || found.length === 0) return asked;
  if (found.length === 1 && found[0]) return found[0];
  throw new UserError(`${found.length} sessions begin with ${asked}; write more of the id.`);
}

function requireId(id: string): void {
  if (isSessionId(id)) return;
  throw new UserError(`'${id}' cannot be a session id; use letters, digits, - and _.`);
}
