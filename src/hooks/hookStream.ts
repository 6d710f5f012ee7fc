import { assertNever } from '../system/assertNever.ts';
import type { ConfiguredHook } from './configuredHook.ts';
import type { FiredEvent } from './kind.ts';
import type { HookOutcome, HookPrinted } from './outcome.ts';
import type { HookEvent } from './types.ts';
import type { Effects, HookEnd } from './verdict.ts';

type Progress = Extract<HookEvent, { type: 'progress' }>;

/** One run of one hook, as stream-json names it. */
export interface HookRun {
  readonly id: string;
  readonly hook: ConfiguredHook;
  readonly event: FiredEvent;
}

/**
 * Progress of a hook. `data.type` is the subtype of Claude Code's `--include-hook-events`; the fields in snake case are
 * that stream's, the others are what a status line shows.
 */
export function hookStarted({ id, hook, event }: HookRun): Progress {
  const { statusMessage } = hook.settings;
  return progress('hook_started', {
    ...names(id, event),
    toolUseID: event.toolUseId,
    kind: hook.kind,
    command: hook.label,
    ...questionOf(hook),
    ...(statusMessage !== undefined && { statusMessage }),
  });
}

export function hookProgress(
  { id, event }: HookRun,
  { stdout, stderr }: Pick<HookPrinted, 'stdout' | 'stderr'>,
): Progress {
  return progress('hook_progress', { ...names(id, event), stdout, stderr, output: stdout + stderr });
}

export function hookResponse({ id, hook, event }: HookRun, outcome: HookOutcome, effects: Effects): Progress {
  const { stdout, stderr, exitCode, durationMs } = outcome.printed;
  return progress('hook_response', {
    ...names(id, event),
    stdout,
    stderr,
    output: stdout + stderr,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    outcome: outcomeName(outcome),
    ...(effects.block !== undefined && { isBlocking: true }),
    command: hook.label,
    durationMs,
  });
}

const questionOf = ({ settings }: ConfiguredHook) => ('prompt' in settings ? { promptText: settings.prompt } : {});

function outcomeName(outcome: HookOutcome): 'success' | 'error' | 'cancelled' {
  if (outcome.type === 'cancelled') return 'cancelled';
  const failed = outcome.type === 'failed' || (outcome.printed.exitCode ?? 0) !== 0;
  return failed ? 'error' : 'success';
}

function names(id: string, event: FiredEvent): Readonly<Record<string, unknown>> {
  return { hook_id: id, hook_name: event.title, hook_event: event.name };
}

function progress(type: string, fields: Readonly<Record<string, unknown>>): Progress {
  return { type: 'progress', data: { type, ...fields } };
}

type Attachment = Extract<HookEvent, { type: 'attachment' }>['attachment'];

/** What a person or a script sees of a hook that ended: its result, then its effects. */
export function attachmentsOf(end: HookEnd, event: FiredEvent, effects: Effects): readonly Attachment[] {
  const named = { hookName: event.title, hookEvent: event.name, toolUseID: event.toolUseId };
  const owner = { ...named, command: end.hook.label, ...questionOf(end.hook) };
  return [...resultOf(end.outcome, effects), ...effectsIn(effects)].map((one) => ({ ...one, ...owner }));
}

type Bare = { readonly type: string } & Readonly<Record<string, unknown>>;

function resultOf(outcome: HookOutcome, effects: Effects): readonly Bare[] {
  const { stdout, stderr, exitCode, durationMs } = outcome.printed;
  const printed = { stdout, stderr, exitCode, durationMs };
  if (effects.block !== undefined) return [{ type: 'hook_blocking_error', blockingError: effects.block, ...printed }];
  if (outcome.type === 'cancelled') return [{ type: 'hook_cancelled', durationMs }];
  if (outcome.type === 'background') return [];
  if (outcome.type === 'failed') {
    const { failure, message } = outcome;
    const type = failure === 'execution' ? 'hook_error_during_execution' : 'hook_non_blocking_error';
    return [{ type, ...printed, message, timedOut: failure === 'timeout' }];
  }
  if (outcome.type !== 'said') return assertNever(outcome);
  if (effects.refusedBlock === undefined) return [{ type: 'hook_success', content: stdout.trim(), ...printed }];
  const message = effects.refusedBlock ?? 'it blocked, which has no effect on this event';
  return [{ type: 'hook_non_blocking_error', ...printed, message }];
}

function effectsIn({ prevented, contexts, systemMessage }: Effects): readonly Bare[] {
  return [
    ...(prevented === undefined ? [] : [{ type: 'hook_stopped_continuation', message: prevented }]),
    ...(contexts.length === 0 ? [] : [{ type: 'hook_additional_context', content: contexts }]),
    ...(systemMessage === undefined ? [] : [{ type: 'hook_system_message', content: systemMessage }]),
  ];
}
