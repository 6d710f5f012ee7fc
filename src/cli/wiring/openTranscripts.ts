import type { QueryDeps } from '../../query/deps.ts';
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
  place: { readonly sessionsDir: string; readonly sessionId: string; readonly after?: string | undefined },
  world: World,
  warn: (sentence: string) => void,
): Transcripts {
  const { sessionsDir, sessionId, after } = place;
  const envelope = { sessionId, cwd: world.cwd, version };
  const main = writeTranscript(sessionFile(sessionsDir, sessionId), envelope, { after, onFailure: warn });
  const opened = [main];
  return {
    main,
    openAgent: (agentId) => {
      const file = agentFile(sessionsDir, sessionId, agentId);
      const writer = writeTranscript(file, { ...envelope, agentId }, { onFailure: warn });
      opened.push(writer);
      return { path: file, writer };
    },
    close: () => {
      for (const transcript of opened) transcript.close();
    },
  };
}
