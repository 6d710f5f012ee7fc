import { executeSessionEndHooks } from '../hooks/executeEvents.ts';
import { withDefaults } from './deps.ts';
import type { QueryParams } from './queryParams.ts';
import { hookSubject } from './toolUseContext.ts';

/** Why a session ended, as SessionEnd hooks match on it. */
export type SessionEndReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'other';

/**
 * Tells the SessionEnd hooks. Not bound to the session's signal: a session that was interrupted ends all the same. Their
 * time is bounded by the event itself. Returns what they want a person to see.
 */
export async function endSession(
  params: Pick<QueryParams, 'deps' | 'toolUseContext'>,
  reason: SessionEndReason,
): Promise<readonly string[]> {
  const { hooks } = withDefaults(params.deps);
  if (!hooks.has('SessionEnd')) return [];
  const notices: string[] = [];
  const running = executeSessionEndHooks(
    { reason },
    {
      runner: hooks,
      subject: hookSubject(params.toolUseContext),
      signal: new AbortController().signal,
    },
  );
  for await (const event of running) if (event.type === 'notice') notices.push(event.text);
  return notices;
}
