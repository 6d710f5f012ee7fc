import { assertNever } from '../system/assertNever.ts';
import type { FiredEvent } from './kind.ts';
import type { HookOutcome } from './outcome.ts';
import type { HookEvent } from './types.ts';
import type { Effects, HookEnd } from './verdict.ts';

type Attachment = Extract<HookEvent, { type: 'attachment' }>['attachment'];

/** What a person or a script is shown of a hook that ended: how it went, then what it wants. */
export function attachmentsOf(end: HookEnd, event: FiredEvent, effects: Effects): readonly Attachment[] {
  const { settings, label } = end.hook;
  const asked = 'prompt' in settings ? { promptText: settings.prompt } : {};
  const whose = { hookName: event.title, hookEvent: event.name, toolUseID: event.toolUseId, command: label, ...asked };
  return [...howItWent(end.outcome, effects), ...whatItWants(effects)].map((one) => ({ ...one, ...whose }));
}

type Bare = { readonly type: string } & Readonly<Record<string, unknown>>;

function howItWent(outcome: HookOutcome, effects: Effects): readonly Bare[] {
  const { stdout, stderr, exitCode, durationMs } = outcome.printed;
  const printed = { stdout, stderr, exitCode, durationMs };
  if (effects.block !== undefined) return [{ type: 'hook_blocking_error', blockingError: effects.block, ...printed }];
  if (outcome.type === 'cancelled') return [{ type: 'hook_cancelled', durationMs }];
  if (outcome.type === 'background') return [];
  if (outcome.type === 'failed') return [failure(outcome, printed)];
  if (outcome.type !== 'said') return assertNever(outcome);
  if (effects.refusedBlock === undefined) return [{ type: 'hook_success', content: stdout.trim(), ...printed }];
  const message = effects.refusedBlock ?? 'it blocked, which has no effect on this event';
  return [{ type: 'hook_non_blocking_error', ...printed, message }];
}

function failure(outcome: Extract<HookOutcome, { type: 'failed' }>, printed: Readonly<Record<string, unknown>>): Bare {
  const { failure: which, message } = outcome;
  const type = which === 'execution' ? 'hook_error_during_execution' : 'hook_non_blocking_error';
  return { type, ...printed, message, timedOut: which === 'timeout' };
}

function whatItWants({ prevented, contexts, systemMessage }: Effects): readonly Bare[] {
  return [
    ...(prevented === undefined ? [] : [{ type: 'hook_stopped_continuation', message: prevented }]),
    ...(contexts.length === 0 ? [] : [{ type: 'hook_additional_context', content: contexts }]),
    ...(systemMessage === undefined ? [] : [{ type: 'hook_system_message', content: systemMessage }]),
  ];
}
