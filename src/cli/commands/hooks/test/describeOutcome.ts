import type { HookFailure, HookOutcome, HookReply } from '../../../../hooks/outcome.ts';
import { type Effects, effectsOf, type HookEnd, type VerdictFacts } from '../../../../hooks/verdict.ts';
import { assertNever } from '../../../../system/assertNever.ts';
import type { Outcome } from '../../../output/outcomes.ts';

const FAILED: { readonly [Failure in HookFailure]: string } = {
  timeout: 'timed out',
  execution: 'could not be run',
  answer: 'failed',
};

/** How a hook ended: its exit code, or a word where there is none. */
export function describeStatus(outcome: HookOutcome): string {
  const { exitCode } = outcome.printed;
  if (exitCode !== undefined) return `exit ${exitCode}`;
  if (outcome.type === 'said') return 'answered';
  if (outcome.type === 'failed') return FAILED[outcome.failure];
  if (outcome.type === 'cancelled') return 'interrupted';
  return outcome.type === 'background' ? 'in the background' : assertNever(outcome);
}

/** The outcome of one hook, in the words of every other report; null for one that is not waited for. */
export function hookOutcome(end: HookEnd, facts: VerdictFacts): Outcome | null {
  const { type } = end.outcome;
  if (type === 'background') return null;
  const { block, prevented, contexts, systemMessage } = effectsOf(end, facts);
  if (block !== undefined || prevented !== undefined) return 'blocked';
  if (type !== 'said') return 'no verdict';
  return contexts.length > 0 || systemMessage !== undefined ? 'advised' : 'passed';
}

/** How a hook's answer was read: one line per effect that it has or tried to have. */
export function describeOutcome(end: HookEnd, facts: VerdictFacts): readonly string[] {
  const { outcome } = end;
  const effects = effectsOf(end, facts);
  if (outcome.type === 'background') return ['not waited for'];
  if (outcome.type === 'cancelled') return ['no verdict: it was interrupted'];
  if (outcome.type === 'failed') {
    const anyway = effects.block === undefined ? [] : [`blocks anyway: ${effects.block}`];
    return [`no verdict: ${outcome.message}`, ...anyway];
  }
  // an answer that counts as a failure: half of one, or one beside a bad exit code
  if (effects.block !== undefined && outcome.reply.block === undefined) return [`blocks: ${effects.block}`];
  const lines = [...effectLines(outcome.reply, effects), ...withoutEffect(outcome.reply, effects, facts)];
  return lines.length === 0 ? ['no objection'] : lines;
}

function effectLines(reply: HookReply, effects: Effects): readonly string[] {
  const { permission, prevented, contexts, systemMessage, updatedToolOutput: output } = effects;
  const blocked = effects.block !== undefined || (prevented !== undefined && reply.block !== undefined);
  return [
    ...(blocked ? [`blocks: ${reply.block?.reason}`] : []),
    ...(prevented !== undefined && reply.prevent !== undefined ? [`ends the turn: ${prevented}`] : []),
    ...(permission ? [`${PERMITS[permission.decision]}${permission.reason && `: ${permission.reason}`}`] : []),
    ...contexts.map((text) => `context for the model: ${text}`),
    ...(systemMessage === undefined ? [] : [`shows you: ${systemMessage}`]),
    ...(effects.updatedInput ? [`changes the tool's input: ${JSON.stringify(effects.updatedInput)}`] : []),
    ...(output ? [`changes the tool's result: ${JSON.stringify(output.value)}`] : []),
    ...Object.entries(effects.specific).map(([field, value]) => `${field}: ${JSON.stringify(value)}`),
  ];
}

const PERMITS = { allow: 'allows the call', ask: 'asks the user', defer: 'defers the call', deny: 'denies the call' };

/** Parts of the answer that have no effect on this event: the most common reason for a hook that "does not work". */
function withoutEffect(reply: HookReply, effects: Effects, { row }: VerdictFacts): readonly string[] {
  const none = `has no effect on ${row.name}`;
  const ignored = reply.plain !== undefined && row.plainStdout === 'ignored' && reply.block === undefined;
  const better = row.givesContext ? '; JSON with hookSpecificOutput.additionalContext would reach the model' : '';
  return [
    ...(effects.refusedBlock === undefined ? [] : [`blocks, which ${none}: ${reply.block?.reason}`]),
    ...(reply.prevent !== undefined && effects.prevented === undefined ? [`"continue": false ${none}`] : []),
    ...(reply.context !== undefined && !row.givesContext ? [`additionalContext ${none}`] : []),
    ...(reply.systemMessage !== undefined && row.systemMessage === 'ignored' ? [`systemMessage ${none}`] : []),
    ...(reply.permission && !effects.permission ? [`permissionDecision "${reply.permission.decision}" ${none}`] : []),
    ...(reply.updatedInput && !effects.updatedInput ? [`updatedInput ${none}`] : []),
    ...(reply.updatedToolOutput && !effects.updatedToolOutput ? [`updatedToolOutput ${none}`] : []),
    ...(ignored ? [`no objection; its output is not JSON and is ignored${better}`] : []),
  ];
}
