import { makeMessages } from '../../session/makeMessages.ts';
import type { Message } from '../../session/messages.ts';
import { readTranscript } from '../../session/transcript/readTranscript.ts';
import { resumeMessages } from '../../session/transcript/resumeMessages.ts';
import { isSessionId, listSessions, sessionFile } from '../../session/transcript/sessionFiles.ts';
import type { PromptFlags } from '../promptFlags.ts';
import { UserError } from '../userError.ts';
import type { World } from '../world.ts';

export interface SessionHistory {
  readonly sessionId: string;
  readonly messages: readonly Message[];
  readonly source: 'startup' | 'resume' | 'fork';
  readonly warnings: readonly string[];
}

type Flags = Pick<PromptFlags, 'resume' | 'continue' | 'forkSession' | 'sessionId'>;

/** Which session this is and what was said in it before: a new one, a named one, or the folder's latest. */
export async function sessionHistory(flags: Flags, sessionsDir: string, world: World): Promise<SessionHistory> {
  const id = await resumedId(flags, sessionsDir);
  if (id !== undefined && !flags.forkSession) return resumed(id, sessionsDir, world);
  const sessionId = flags.sessionId ?? world.ids.uuid();
  requireId(sessionId);
  if ((await listSessions(sessionsDir)).some((session) => session.id === sessionId)) {
    throw new UserError(`Session ${sessionId} exists already; go on with it by --resume ${sessionId}.`);
  }
  if (id === undefined) {
    const warnings = flags.continue ? [`There is no session in ${world.cwd} to continue; this is a new one.`] : [];
    return { sessionId, messages: [], source: 'startup', warnings };
  }
  return { ...(await resumed(id, sessionsDir, world)), sessionId, source: 'fork' };
}

async function resumedId(flags: Flags, sessionsDir: string): Promise<string | undefined> {
  if (flags.resume !== undefined) return flags.resume;
  if (!flags.continue) return undefined;
  const [latest] = await listSessions(sessionsDir);
  return latest?.id;
}

async function resumed(asked: string, sessionsDir: string, world: World): Promise<SessionHistory> {
  requireId(asked);
  const sessionId = await wholeId(asked, sessionsDir);
  const file = sessionFile(sessionsDir, sessionId);
  const read = await readTranscript(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw new UserError(`The transcript ${file} cannot be read: ${error.message}.`);
    throw new UserError(
      `There is no session ${sessionId} for ${world.cwd}; \`stopgate list\` shows those there are.`,
      1,
    );
  });
  const skipped = read.skippedLines.length;
  const warning = `${skipped} line${skipped === 1 ? '' : 's'} of ${file} could not be read and ${skipped === 1 ? 'was' : 'were'} left out (line ${read.skippedLines.slice(0, 5).join(', ')}).`;
  const messages = resumeMessages(read.messages, makeMessages(world.clock, world.ids));
  return { sessionId, messages, source: 'resume', warnings: skipped > 0 ? [warning] : [] };
}

/** A session may be named by the beginning of its id, as `stopgate list` shows it. */
async function wholeId(asked: string, sessionsDir: string): Promise<string> {
  const found = (await listSessions(sessionsDir)).map(({ id }) => id).filter((id) => id.startsWith(asked));
  if (found.includes(asked) || found.length === 0) return asked;
  if (found.length === 1 && found[0]) return found[0];
  throw new UserError(`${found.length} sessions begin with ${asked}; write more of the id.`);
}

function requireId(id: string): void {
  if (isSessionId(id)) return;
  throw new UserError(`'${id}' cannot be a session id; use letters, digits, - and _.`);
}
