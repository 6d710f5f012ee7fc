import type { ConfiguredHook } from './configuredHook.ts';
import type { FiredEvent } from './kind.ts';
import type { HookOutcome } from './outcome.ts';
import type { HookEvent } from './types.ts';

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
    ...('prompt' in hook.settings && { promptText: hook.settings.prompt }),
    ...(statusMessage !== undefined && { statusMessage }),
  });
}

export interface OutputSoFar {
  readonly stdout: string;
  readonly stderr: string;
}

export function hookProgress({ id, event }: HookRun, { stdout, stderr }: OutputSoFar): Progress {
  return progress('hook_progress', { ...names(id, event), stdout, stderr, output: stdout + stderr });
}

export function hookResponse({ id, hook, event }: HookRun, outcome: HookOutcome): Progress {
  const { stdout, stderr, exitCode, durationMs } = outcome.printed;
  return progress('hook_response', {
    ...names(id, event),
    stdout,
    stderr,
    output: stdout + stderr,
    ...(exitCode !== undefined && { exit_code: exitCode }),
    outcome: outcomeWord(outcome),
    command: hook.label,
    durationMs,
  });
}

function outcomeWord(outcome: HookOutcome): 'success' | 'error' | 'cancelled' {
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
