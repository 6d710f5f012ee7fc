import { executeNotificationHooks } from '../../../hooks/executeEvents.ts';
import { hookSubject } from '../../../query/toolUseContext.ts';
import { terminalText } from '../../../system/terminalText.ts';
import type { OpenSession } from '../../wiring/openSession.ts';

/** Why the person is needed, as hooks match on it. */
export type NotificationType = 'permission_prompt' | 'idle_prompt';

/** Terminals without a window to notify print the text instead. */
const WITHOUT_WINDOW = /^(?:linux|dumb|)$/;

/** Rings the bell and asks the terminal for a desktop notification. */
export function notifyTerminal(text: string, env: Readonly<Record<string, string | undefined>>): void {
  const shown = terminalText(text).replace(/[;\n]/g, ' ');
  const notification = WITHOUT_WINDOW.test(env.TERM ?? '') ? '' : `\u001b]9;${shown}\u001b\\`;
  process.stdout.write(`\u0007${notification}`);
}

/** Runs Notification hooks; they can decide nothing. */
export async function runNotificationHooks(
  { params }: OpenSession,
  message: string,
  notification_type: NotificationType,
): Promise<void> {
  const { hooks } = params.deps ?? {};
  if (!hooks?.has('Notification')) return;
  const { signal } = new AbortController();
  const subject = hookSubject(params.toolUseContext);
  const running = executeNotificationHooks({ message, notification_type }, { runner: hooks, subject, signal });
  for await (const _ of running) {
    // nothing of it is shown
  }
}
