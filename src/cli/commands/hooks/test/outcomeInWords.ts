import type { HookFailure, HookOutcome, HookReply } from '../../../../hooks/outcome.ts';
import { type Effects, effectsOf, type HookEnd, type VerdictFacts } from '../../../../hooks/verdict.ts';
import { assertNever } from '../../../../system/assertNever.ts';

const FAILED: { readonly [Failure in HookFailure]: string } = {
  timeout: 'timed out',
  execution: 'could not be run',
  answer: 'failed',
};

/** How a hook ended: its exit code, or the word for it where there is none. */
export function statusInWords(outcome: HookOutcome): string {
  const { exitCode } = outcome.printed;
  if (exitCode !== undefined) return `exit ${exitCode}`;
  if (outcome.type === 'said') return 'answered';
  if (outcome.type === 'failed') return FAILED[outcome.failure];
  if (outcome.type === 'cancelled') return 'interrupted';
  return outcome.type === 'background' ? 'in the background' : assertNever(outcome);
}

/** What a hook's end was read as, one line for each thing it says or tried to say. */
export function outcomeInWords(end: HookEnd, facts: VerdictFacts): readonly string[] {
  const { outcome } = end;
  const effects = effectsOf(end, facts);
  if (outcome.type === 'background') return ['nobody waits for it'];
  if (outcome.type === 'cancelled') return ['no verdict: it was interrupted'];
  if (outcome.type === 'failed') return [`no verdict: ${outcome.message}`, ...failureInWords(effects)];
  const lines = [...wishes(outcome.reply, effects), ...withoutEffect(outcome.reply, effects, facts)];
  return lines.length === 0 ? ['no objection'] : lines;
}

function failureInWords({ block }: Effects): readonly string[] {
  return block === undefined ? [] : [`blocks all the same: ${block}`];
}

function wishes(reply: HookReply, effects: Effects): readonly string[] {
  const { permission, prevented, contexts, systemMessage } = effects;
  const blocked = effects.block !== undefined || (prevented !== undefined && reply.block !== undefined);
  return [
    ...(blocked ? [`blocks: ${reply.block?.reason}`] : []),
    ...(prevented !== undefined && reply.prevent !== undefined ? [`ends the turn: ${prevented}`] : []),
    ...(permission ? [`${PERMITS[permission.decision]}${permission.reason && `: ${permission.reason}`}`] : []),
    ...contexts.map((text) => `context for the model: ${text}`),
    ...(systemMessage === undefined ? [] : [`tells you: ${systemMessage}`]),
    ...(effects.updatedInput ? [`changes the tool's input: ${JSON.stringify(effects.updatedInput)}`] : []),
    ...(effects.updatedToolOutput
      ? [`changes the tool's result: ${JSON.stringify(effects.updatedToolOutput.value)}`]
      : []),
    ...Object.entries(effects.specific).map(([field, value]) => `${field}: ${JSON.stringify(value)}`),
  ];
}

const PERMITS = { allow: 'allows the call', ask: 'asks for a person', defer: 'puts the call off', deny: 'denies' };

/** What was said in vain on this event: the most common reason for a hook that "does not work". */
function withoutEffect(reply: HookReply, effects: Effects, { row }: VerdictFacts): readonly string[] {
  const vain = `has no effect on ${row.name}`;
  const unheard = reply.plain !== undefined && row.plainStdout === 'ignored' && reply.block === undefined;
  const better = row.givesContext ? '; JSON with hookSpecificOutput.additionalContext would reach the model' : '';
  return [
    ...(effects.refusedBlock === undefined ? [] : [`objects, which ${vain}: ${reply.block?.reason}`]),
    ...(reply.prevent !== undefined && effects.prevented === undefined ? [`"continue": false ${vain}`] : []),
    ...(reply.context !== undefined && !row.givesContext ? [`additionalContext ${vain}`] : []),
    ...(reply.systemMessage !== undefined && row.systemMessage === 'ignored' ? [`systemMessage ${vain}`] : []),
    ...(reply.permission && !effects.permission ? [`permissionDecision "${reply.permission.decision}" ${vain}`] : []),
    ...(reply.updatedInput && !effects.updatedInput ? [`updatedInput ${vain}`] : []),
    ...(reply.updatedToolOutput && !effects.updatedToolOutput ? [`updatedToolOutput ${vain}`] : []),
    ...(unheard ? [`no objection; what it printed is no JSON and reaches nobody${better}`] : []),
  ];
}
