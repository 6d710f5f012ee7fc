/** An event as a host sends it; every field is read leniently. */
export type Payload = Readonly<Record<string, unknown>>;

export function sessionIdOf({ session_id: snake, sessionId: camel }: Payload): string | null {
  const id = snake ?? camel;
  return typeof id === 'string' ? id : null;
}

/** Words of hosts for a background task that has ended. */
export const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'killed', 'stopped', 'done', 'cancelled']);
