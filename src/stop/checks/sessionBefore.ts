import type { GateDecision } from '../../schemas/gateDecision.ts';

export interface BeginningSession {
  readonly session: string;
  readonly folder: string;
  readonly hostPid: number | null;
  /** As the host says why it began: `startup`, `clear`, `fork`, `resume`, … */
  readonly source: unknown;
}

type Seen = Pick<GateDecision, 'session' | 'folder' | 'hostPid'>;

/** Sources of a session that goes on with the work of another one. */
const GOES_ON = new Set<unknown>(['clear', 'fork', 'resume']);

/**
 * Whose files a session began with. `/clear` and forks have a new id in the same process, and what the session before them
 * broke is not their starting point. No host names the session before; the same process tells it. A fork in a process of its own
 * goes on with the folder's latest session. Null: it begins with its own files.
 */
export function sessionBefore(
  { session, folder, hostPid, source }: BeginningSession,
  seen: readonly Seen[],
): string | null {
  if (!GOES_ON.has(source)) return null;
  const others = seen.filter((one) => one.folder === folder && one.session !== session && one.session !== '');
  const sameProcess = others.findLast((one) => hostPid !== null && one.hostPid === hostPid);
  return (sameProcess ?? (source === 'fork' ? others.at(-1) : undefined))?.session ?? null;
}
