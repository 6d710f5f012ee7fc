import type { QueryDeps } from '../../query/params.ts';
import type { ConversationLog } from '../../session/conversationLog.ts';
import type { Message } from '../../session/messages.ts';
import { agentFile, sessionFile } from '../../session/transcript/sessionFiles.ts';
import { type Transcript, writeTranscript } from '../../session/transcript/writeTranscript.ts';
import { version } from '../../system/version.ts';
import type { World } from '../../system/world.ts';

export interface Transcripts {
  readonly main: Transcript;
  readonly openAgent: QueryDeps['openAgentTranscript'];
  close(): void;
}

/** The transcripts of the session and of its subagents as they start. */
export function openTranscripts(
  place: {
    readonly sessionsDir: string;
    readonly sessionId: string;
    readonly gitBranch: string;
    readonly model: string;
  },
  world: World,
  options: {
    readonly warn: (sentence: string) => void;
    readonly log: ConversationLog;
    readonly history: readonly Message[];
    /** The line of the file that the first new one follows. */
    readonly after: string | undefined;
    /** Copies the history of another session, so that this one can be resumed on its own. */
    readonly copies: boolean;
    /** False for a session without a transcript. */
    readonly keeps: boolean;
  },
): Transcripts {
  const { sessionsDir, sessionId, gitBranch } = place;
  const envelope = { sessionId, cwd: world.cwd, version, userType: 'external', gitBranch } as const;
  const { warn, log } = options;
  const file = sessionFile(sessionsDir, sessionId);
  const write = options.keeps ? writeTranscript : unwritten;
  const main = write(
    file,
    { ...envelope, sessionModel: withoutPassword(place.model) },
    { after: options.after, onFailure: warn },
  );
  if (options.copies) for (const message of options.history) main.append(message);
  const opened = [main];
  return {
    main: log.follow(main, undefined, options.history),
    openAgent: (agentId) => {
      const file = agentFile(sessionsDir, sessionId, agentId);
      const writer = write(file, { ...envelope, agentId }, { onFailure: warn });
      opened.push(writer);
      return { path: file, writer: log.follow(writer, agentId) };
    },
    close: () => {
      for (const transcript of opened) transcript.close();
    },
  };
}

/** As in Claude Code, hooks still get the path of a file that does not exist. */
const unwritten: typeof writeTranscript = (file) => ({ path: file, append: () => {}, close: () => {} });

/** A model may be a URL; a password in it must not be written to a file. */
function withoutPassword(model: string): string {
  return model.replace(/^(https?:\/\/)[^/@#]*@/, '$1');
}
