import type { QueryDeps } from '../../query/deps.ts';
import type { ConversationLog } from '../../session/conversationLog.ts';
import type { Message } from '../../session/messages.ts';
import { agentFile, sessionFile } from '../../session/transcript/sessionFiles.ts';
import { type Transcript, writeTranscript } from '../../session/transcript/writeTranscript.ts';
import { version } from '../version.ts';
import type { World } from '../world.ts';

export interface Transcripts {
  readonly main: Transcript;
  readonly openAgent: QueryDeps['openAgentTranscript'];
  close(): void;
}

/** The session's transcript and, as they start, its subagents'. */
export function openTranscripts(
  place: { readonly sessionsDir: string; readonly sessionId: string },
  world: World,
  told: {
    readonly warn: (sentence: string) => void;
    readonly log: ConversationLog;
    readonly history: readonly Message[];
  },
): Transcripts {
  const { sessionsDir, sessionId } = place;
  const envelope = { sessionId, cwd: world.cwd, version };
  const { warn, log } = told;
  const file = sessionFile(sessionsDir, sessionId);
  const main = writeTranscript(file, envelope, { after: told.history.at(-1)?.uuid, onFailure: warn });
  const opened = [main];
  return {
    main: log.follow(main, undefined, told.history),
    openAgent: (agentId) => {
      const file = agentFile(sessionsDir, sessionId, agentId);
      const writer = writeTranscript(file, { ...envelope, agentId }, { onFailure: warn });
      opened.push(writer);
      return { path: file, writer: log.follow(writer, agentId) };
    },
    close: () => {
      for (const transcript of opened) transcript.close();
    },
  };
}
