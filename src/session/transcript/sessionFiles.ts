import { hash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Where sessions are kept: `<home>/projects/<folder's name>/<session>.jsonl`, subagents in a folder beside it. The name
 * is readable, and its digest distinguishes `/a-b` from `/a/b`.
 */
export function projectSessionsDir(stopgateHome: string, projectDir: string): string {
  const readable = projectDir.replace(/[^A-Za-z0-9]+/g, '-').slice(-80);
  const digest = hash('sha256', projectDir).slice(0, 8);
  return path.join(stopgateHome, 'projects', `${readable}-${digest}`);
}

export const sessionFile = (sessionsDir: string, sessionId: string): string =>
  path.join(sessionsDir, `${sessionId}.jsonl`);

export const agentFile = (sessionsDir: string, sessionId: string, agentId: string): string =>
  path.join(sessionsDir, sessionId, 'subagents', `agent-${agentId}.jsonl`);

/** A session id becomes a file name, so it may hold nothing that could leave the folder. */
export const isSessionId = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/.test(text);

/** The folder's sessions, the one written last first. */
export async function listSessions(sessionsDir: string): Promise<{ id: string; file: string; modifiedAt: number }[]> {
  const names = await readdir(sessionsDir).catch(() => []);
  const sessions = await Promise.all(
    names
      .filter((name) => name.endsWith('.jsonl'))
      .map(async (name) => {
        const file = path.join(sessionsDir, name);
        const facts = await stat(file).catch(() => undefined);
        return { id: name.slice(0, -'.jsonl'.length), file, modifiedAt: facts?.mtimeMs ?? 0 };
      }),
  );
  return sessions.sort((a, b) => b.modifiedAt - a.modifiedAt);
}
