import { formatTokens } from '../../../../system/formatTokens.ts';
import type { SessionControls } from '../sessionControls.ts';

/** The last lines of a session in which something was said: what it cost, and how to go on. */
export function farewell({ opened, paint, flags, history }: SessionControls): readonly string[] {
  const { ledger, sessionId } = opened;
  if (ledger.totalOutputTokens === 0 || history.all().length === 0) return [];
  const spent = `$${ledger.totalUsd.toFixed(4)} · ${formatTokens(ledger.totalOutputTokens)} output tokens`;
  const resume = flags.sessionPersistence ? ` · continue with stopgate --resume ${sessionId}` : '';
  return [paint('dim', `${spent}${resume}`)];
}
