import type { PromptEnd } from '../../../../query/prompt/submitPrompt.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import { formatTokens } from '../../../../system/formatTokens.ts';
import type { Paint } from '../../../output/colors.ts';
import { ENDING_OUTCOMES, type Outcome, paintedOutcome } from '../../../output/outcomes.ts';
import { describeEnd, type PromptChecks } from '../../prompt/ending.ts';
import { terminalReason } from '../../prompt/output/resultLine.ts';
import { PERSONS_REASONS } from '../permissionQuestions.ts';
import type { SessionControls } from '../sessionControls.ts';

interface EndFacts {
  /** Null without a definition of done. */
  readonly checks: PromptChecks | null;
  readonly durationMs: number;
  readonly paint: Paint;
}

interface EndLine {
  readonly text: string;
  /** For the record. */
  readonly ending: string;
  readonly words: string;
}

type Reason = PromptEnd['reason'];

/** Ends that are not simply the turn's own: each looks different. */
const OUTCOME_OF: { readonly [Name in Reason]?: Outcome } = {
  stop_hook_capped: 'capped',
  prompt_blocked: 'blocked',
  hook_stopped: 'blocked',
  api_error: 'error',
  prompt_too_long: 'error',
  image_error: 'error',
  rapid_refill_breaker: 'error',
  max_turns: 'capped',
  budget_exhausted: 'capped',
  tokens_exhausted: 'capped',
};

/** A person's answer, and not a hook's. */
const isPersons = (end: PromptEnd): boolean => 'denial' in end && PERSONS_REASONS.has(end.denial ?? '');

/** The agent may stop although the definition of done is not met. */
const UNMET: ReadonlySet<string> = new Set(['stalled', 'capped', 'error', 'outOfTime']);
const isUnmet = (checks: PromptChecks | null) => checks !== null && UNMET.has(checks.ending.type);

/** Why a turn ended, and what the checks said: `Done. 43s · ✓ passed (tests)`. */
export function endLine(end: PromptEnd, { checks, durationMs, paint }: EndFacts): EndLine {
  const words = isPersons(end) ? 'You ended the turn at a question.' : describeEnd(end);
  const own = 'message' in end && end.message !== '' ? end.message : words;
  const outcome = OUTCOME_OF[end.reason];
  const why =
    outcome === undefined
      ? paint('dim', own || (isUnmet(checks) ? 'Stopped.' : 'Done.'))
      : paintedOutcome(outcome, paint, own || outcome);
  const proof =
    checks === null
      ? ''
      : ` · checks: ${paintedOutcome(ENDING_OUTCOMES[checks.ending.type], paint, checks.ending.reason)}`;
  const text = `${paint('dim', '⏹')} ${why}${paint('dim', ` ${formatDuration(durationMs)}`)}${proof}`;
  return { text, ending: terminalReason(end.reason, checks), words };
}

/** The last lines of a session in which something was said: what it cost, and how to go on. */
export function farewell({ opened, paint, flags, history }: SessionControls): readonly string[] {
  const { ledger, sessionId } = opened;
  if (ledger.totalOutputTokens === 0 || history.all().length === 0) return [];
  const spent = `$${ledger.totalUsd.toFixed(4)} · ${formatTokens(ledger.totalOutputTokens)} output tokens`;
  const resume = flags.sessionPersistence ? ` · continue with stopgate --resume ${sessionId}` : '';
  return [paint('dim', `${spent}${resume}`)];
}
