import { type HookEventName, type HookVerdict, NO_VERDICT } from '../hooks/types.ts';
import type { QueryEvent } from './events.ts';
import { atOnce, type Telling } from './telling.ts';
import { hookSubject, type ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

export interface HookCall {
  readonly event: HookEventName;
  /** Built only when a hook is configured. */
  readonly input: () => Readonly<Record<string, unknown>>;
  readonly context: ToolUseContext;
  readonly toolUseId?: string;
  readonly signal?: AbortSignal;
}

/** Asks the hooks of one event, tells what they do while they do it, and answers with their verdict. */
export function runHooks(turn: Turn, call: HookCall): Telling<HookVerdict> {
  return turn.deps.hooks.has(call.event) ? run(turn, call) : atOnce(NO_VERDICT);
}

async function* run(turn: Turn, call: HookCall): AsyncGenerator<QueryEvent, HookVerdict> {
  const { hooks } = turn.deps;
  const running = hooks.run({
    event: call.event,
    input: call.input(),
    subject: hookSubject(call.context),
    signal: call.signal ?? turn.signal,
    ...(call.toolUseId ? { toolUseId: call.toolUseId } : {}),
  });
  while (true) {
    const { done, value } = await running.next();
    if (done) {
      const { watchPaths } = value.specific;
      if (Array.isArray(watchPaths)) turn.deps.watchPaths(watchPaths.filter((path) => typeof path === 'string'));
      return value;
    }
    if (value.type === 'progress') yield { type: 'hook_progress', data: value.data };
    else if (value.type === 'attachment') yield turn.record(turn.make.attachment(value.attachment));
    else yield turn.record(turn.make.system('informational', value.text, { level: value.level }));
  }
}
