import { fireHooks, type HookFields } from '../hooks/executeEvents.ts';
import { type HookEventName, type HookVerdict, NO_VERDICT } from '../hooks/types.ts';
import type { QueryEvent } from './events.ts';
import { atOnce, type Telling } from './telling.ts';
import { hookSubject, type ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

export interface HookCall<Name extends HookEventName = HookEventName> {
  readonly event: Name;
  /** Built only when a hook is configured. */
  readonly input: () => NoInfer<HookFields<Name>>;
  readonly context: ToolUseContext;
  readonly toolUseId?: string;
}

/** Runs the hooks of one event, yields what they show while they run, and returns their verdict. */
export function runHooks<Name extends HookEventName>(turn: Turn, call: HookCall<Name>): Telling<HookVerdict> {
  return turn.deps.hooks.has(call.event) ? run(turn, call) : atOnce(NO_VERDICT);
}

async function* run<Name extends HookEventName>(
  turn: Turn,
  { event, input, context, toolUseId }: HookCall<Name>,
): AsyncGenerator<QueryEvent, HookVerdict> {
  const running = fireHooks(event, input(), {
    runner: turn.deps.hooks,
    subject: hookSubject(context),
    signal: turn.signal,
    ...(toolUseId !== undefined && { toolUseId }),
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
