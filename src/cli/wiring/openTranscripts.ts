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

/** The session's transcript and, as they start, its subagents'. */
export function openTranscripts(
  place: {
    readonly sessionsDir: string;
    readonly sessionId: string;
    readonly gitBranch: string;
    readonly model: string;
  },
  world: World,
  told: {
    readonly warn: (sentence: string) => void;
    readonly log: ConversationLog;
    readonly history: readonly Message[];
    /** The line of the file that the first one follows. */
    readonly after: string | undefined;
    /** The history is another session's: it is copied, so that this one can be resumed by itself. */
    readonly copies: boolean;
    /** False for a session that leaves no transcript. */
    readonly keeps: boolean;
  },
): Transcripts {
  const { sessionsDir, sessionId, gitBranch } = place;
  const envelope = { sessionId, cwd: world.cwd, version, userType: 'external', gitBranch } as const;
  const { warn, log } = told;
  const file = sessionFile(sessionsDir, sessionId);
  const write = told.keeps ? writeTranscript : unwritten;
  const main = write(
    file,
    { ...envelope, sessionModel: withoutPassword(place.model) },
    { after: told.after, onFailure: warn },
  );
  if (told.copies) for (const message of told.history) main.append(message);
  const opened = [main];
  return {
    main: log.follow(main, undefined, told.history),
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

/** Hooks are told the path all the same, as in Claude Code; no file is there. */
const unwritten: typeof writeTranscript = (file) => ({ path: file, append: () => {}, close: () => {} });

/** A model may be named by an address; a password in it is nothing for a file. */
function withoutPassword(model: string): string {
  return model.replace(/^(https?:\/\/)[^/@#]*@/, '$1');
}
