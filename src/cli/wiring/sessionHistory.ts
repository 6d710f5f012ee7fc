import { existsSync } from 'node:fs';
import { makeMessages } from '../../session/makeMessages.ts';
import type { Message } from '../../session/messages.ts';
import { type ReadTranscript, readTranscript } from '../../session/transcript/readTranscript.ts';
import { resumeMessages } from '../../session/transcript/resumeMessages.ts';
import { isSessionId, listSessions, sessionFile } from '../../session/transcript/sessionFiles.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { matchSession } from './findSession.ts';
import type { PromptFlags } from './promptFlags.ts';
import { sessionNamed } from './sessionNames.ts';

export interface SessionHistory {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly source: 'startup' | 'resume' | 'fork';
  readonly warnings: readonly string[];
  /** The line of the transcript that the next one follows. */
  readonly lastUuid?: string;
  /** The model of its earlier turns. */
  readonly model?: SessionModel;
}

/** `chosen`: the name on the command line; `written`: the provider's own name, from a transcript of an earlier version. */
export interface SessionModel {
  readonly type: 'chosen' | 'written';
  readonly name: string;
}

/** Locks a session for this process before it is read; throws when another process has it. */
export type HoldSession = (sessionsDir: string, sessionId: string) => Promise<void>;

type Flags = Pick<PromptFlags, 'resume' | 'continue' | 'forkSession' | 'sessionId'>;

/** The session and its messages: a new one, a named one, or the folder's latest. */
export async function sessionHistory(
  flags: Flags,
  sessionsDir: string,
  world: World,
  hold: HoldSession,
): Promise<SessionHistory> {
  const id = await resumedId(flags, sessionsDir);
  if (id !== undefined && !flags.forkSession) {
    if (exists(id, sessionsDir)) await hold(sessionsDir, id);
    return resumed(id, sessionsDir, world);
  }
  const sessionId = flags.sessionId ?? world.ids.uuid();
  requireId(sessionId);
  if (exists(sessionId, sessionsDir)) {
    throw new UserError(`Session ${sessionId} already exists; continue it with --resume ${sessionId}.`);
  }
  await hold(sessionsDir, sessionId);
  if (id === undefined) {
    const warnings = flags.continue ? [`No session to continue in ${world.cwd}; starting a new one.`] : [];
    return { sessionId, messages: [], source: 'startup', warnings };
  }
  const { lastUuid: _notHere, ...copied } = await resumed(id, sessionsDir, world);
  return { ...copied, sessionId, source: 'fork' };
}

async function resumedId(flags: Flags, sessionsDir: string): Promise<string | undefined> {
  const { resume } = flags;
  if (resume !== undefined) {
    const named = sessionNamed(sessionsDir, resume);
    if (named !== undefined) return named;
    requireId(resume);
    return matchSession(await listSessions(sessionsDir), resume)?.id ?? resume;
  }
  return flags.continue ? (await listSessions(sessionsDir))[0]?.id : undefined;
}

async function resumed(sessionId: string, sessionsDir: string, world: World): Promise<SessionHistory> {
  const file = sessionFile(sessionsDir, sessionId);
  const read = await readTranscript(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UserError(`The transcript ${file} cannot be read: ${error.message}.`);
    throw new UserError(`No session ${sessionId} in ${world.cwd}; \`stopgate list\` shows the sessions.`, 1);
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
      `${skipped} line${skipped === 1 ? '' : 's'} of ${file} could not be read and ${skipped === 1 ? 'was' : 'were'} skipped (line ${skippedLines.slice(0, 5).join(', ')}).`,
    );
  if (otherLines > 0)
    warnings.push(
      `Two runs wrote to ${file} at the same time: this one continues from the latest answer, without ${otherLines === 1 ? 'a line' : `${otherLines} lines`} of the other.`,
    );
  return warnings;
}

function sessionModel({ sessionModel: chosen, messages }: ReadTranscript): SessionModel | undefined {
  if (chosen !== undefined) return { type: 'chosen', name: chosen };
  const answer = messages.findLast((message) => message.type === 'assistant' && !message.apiError);
  return answer?.type === 'assistant' ? { type: 'written', name: answer.message.model } : undefined;
}

const exists = (id: string, sessionsDir: string): boolean => existsSync(sessionFile(sessionsDir, id));

function requireId(id: string): void {
  if (isSessionId(id)) return;
  throw new UserError(`'${id}' is not a valid session id; use letters, digits, - and _.`);
}
