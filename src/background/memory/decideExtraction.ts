import type { Evidence } from './evidence.ts';

export type ExtractionDecision =
  | { readonly type: 'extract' }
  /** `forget`: what was seen is dealt with, and need not be looked at again. */
  | { readonly type: 'skip'; readonly reason: string; readonly forget: boolean };

/** A turn smaller than this holds nothing worth a request; it is looked at together with the next one. */
const MIN_EVIDENCE_MESSAGES = 4;
const MIN_USER_CHARACTERS = 400;

/** Words with which people say that something shall be kept. */
const KEEP_CUE =
  /\b(?:remember|from now on|in (?:the )?future|always|never|prefer|instead of|keep in mind|note that|don['’]t (?:ever|use)|do not (?:ever|use)|merke? dir|immer|niemals?)\b/i;

/** Whether a request is worth its money: decided from what was said, without asking a model. */
export function decideExtraction(facts: {
  readonly wroteMemory: boolean;
  readonly evidence: readonly Evidence[];
}): ExtractionDecision {
  const { evidence } = facts;
  if (facts.wroteMemory) {
    return { type: 'skip', reason: 'the agent wrote to the memory folder itself in this turn', forget: true };
  }
  if (evidence.length === 0) return { type: 'skip', reason: 'nothing new since the last run', forget: false };
  const users = evidence.filter(({ source }) => source === 'user');
  if (users.some(({ text }) => KEEP_CUE.test(text))) return { type: 'extract' };
  const characters = users.reduce((sum, { text }) => sum + text.length, 0);
  if (evidence.length >= MIN_EVIDENCE_MESSAGES || characters >= MIN_USER_CHARACTERS) return { type: 'extract' };
  const reason = `too little is new (${evidence.length} of ${MIN_EVIDENCE_MESSAGES} messages, ${characters} of ${MIN_USER_CHARACTERS} characters of yours)`;
  return { type: 'skip', reason, forget: false };
}
