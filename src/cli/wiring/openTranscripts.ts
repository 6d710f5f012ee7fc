import type { ConversationLog } from '../../session/conversationLog.ts';
import { agentFile, sessionFile } from '../../session/transcript/sessionFiles.ts';
import { writeTranscript } from '../../session/transcript/writeTranscript.ts';
import { version } from '../../system/version.ts';
import type { World } from '../../system/world.ts';
import type { GatheredSession } from './gatherSession.ts';

interface Following {
  readonly warn: (sentence: string) => void;
  readonly log: ConversationLog;
}

/** The transcripts of the session and of its subagents as they start. */
export function openTranscripts(gathered: GatheredSession, world: World, { warn, log }: Following) {
  const { sessionsDir, history, git, model } = gathered;
  const { sessionId, messages } = history;
  const envelope = { sessionId, cwd: world.cwd, version, userType: 'external', gitBranch: git.branch } as const;
  const write = gathered.keeps ? writeTranscript : unwritten;
  const main = write(
    sessionFile(sessionsDir, sessionId),
    { ...envelope, sessionModel: withoutPassword(model.id) },
    { after: history.lastUuid, onFailure: warn },
  );
  // so that a copy can be resumed on its own
  if (history.source === 'fork') for (const message of messages) main.append(message);
  const opened = [main];
  return {
    main: log.follow(main, undefined, messages),
    openAgent: (agentId: string) => {
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
