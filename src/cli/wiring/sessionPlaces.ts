import path from 'node:path';

export interface SessionPlace {
  readonly sessionsDir: string;
  readonly history: { readonly sessionId: string };
}

/** Next to the session's transcript: its subagents, long hook output, variables of hooks. */
export const sessionFolder = ({ sessionsDir, history }: SessionPlace): string =>
  path.join(sessionsDir, history.sessionId);

/** Variables that Setup, SessionStart and CwdChanged hooks set for later commands. */
export const hookEnvFile = (place: SessionPlace): string => path.join(sessionFolder(place), 'hook-env.sh');

/** The output of background commands. */
export const taskOutputFolder = (place: SessionPlace): string => path.join(sessionFolder(place), 'tasks');

/** Files from MCP servers that a model cannot read. */
export const toolResultFolder = (place: SessionPlace): string => path.join(sessionFolder(place), 'tool-results');
