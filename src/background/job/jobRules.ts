import type { JobStateName } from '../../schemas/jobState.ts';
import { oneLine } from '../../system/sentence.ts';

export interface JobFacts {
  /** The texts of all answers of the turn, in order, without empty ones. */
  readonly answers: readonly string[];
  /** The last answer was cut or refused by the provider. */
  readonly stopReason: string | null;
  /** Tasks of the agent's own list that are not completed. */
  readonly openTasks: number;
}

export interface JobVerdict {
  readonly state: JobStateName;
  readonly detail: string;
}

interface Rule {
  readonly state: JobStateName;
  readonly fits: (seen: Seen) => boolean;
  readonly detail?: (seen: Seen) => string;
}

interface Seen extends JobFacts {
  /** The last paragraph of the last answer, which states the outcome. */
  readonly ending: string;
  readonly lastSentence: string;
  readonly firstSentence: string;
}

const BLOCKED =
  /\b(?:i(?:['’]m| am) blocked|blocked (?:by|on|until)|(?:can(?:not|['’]t)|unable to) (?:proceed|continue|go on)|(?:need|requires?|without) (?:your )?(?:access|permission|credentials|approval|an? api key)|permission (?:was )?denied|waiting (?:for|on))\b/i;
const FAILED =
  /\b(?:(?:i )?(?:could not|couldn['’]t|was unable to|failed to) (?:complete|finish|fix|make|get|do)|(?:i )?gave up|still fail(?:s|ing))\b/i;
const PROMISE = /^(?:now,? |next,? |then,? )?(?:i['’]ll|i will|let me|next,? i|i['’]m going to)\b/i;
const DONE =
  /\b(?:done|fixed|complete[d]?|finished|implemented|added|updated|removed|renamed|resolved|merged|all (?:\d+ )?(?:tests|checks) pass(?:ed)?|is (?:now )?in place)\b/i;
const HEDGE =
  /\b(?:not (?:yet )?(?:done|fixed|complete|finished)|partially|except|but (?:the|some|one)|remaining|todo|to do)\b/i;

/** The first rule that fits decides; if none does, a model is asked. */
const RULES: readonly Rule[] = [
  { state: 'failed', fits: ({ answers }) => answers.length === 0, detail: () => 'It ended without an answer.' },
  { state: 'failed', fits: ({ stopReason }) => stopReason === 'refusal', detail: () => 'The model refused to answer.' },
  { state: 'needs_input', fits: ({ lastSentence }) => /\?["')\]]?$/.test(lastSentence) },
  { state: 'blocked', fits: ({ ending }) => BLOCKED.test(ending), detail: sentenceWith(BLOCKED) },
  { state: 'failed', fits: ({ ending }) => FAILED.test(ending), detail: sentenceWith(FAILED) },
  { state: 'working', fits: ({ lastSentence }) => PROMISE.test(lastSentence) },
  {
    state: 'working',
    fits: ({ openTasks }) => openTasks > 0,
    detail: ({ openTasks }) => `${openTasks} task${openTasks === 1 ? '' : 's'} of its list open.`,
  },
  {
    state: 'done',
    fits: ({ firstSentence, lastSentence, ending }) =>
      DONE.test(`${firstSentence} ${lastSentence}`) && !HEDGE.test(ending),
    detail: ({ firstSentence, lastSentence }) => (DONE.test(lastSentence) ? lastSentence : firstSentence),
  },
];

/** The state of a job by rules; undefined when they do not suffice. */
export function jobByRules(facts: JobFacts): JobVerdict | undefined {
  const seen = inspect(facts);
  const rule = RULES.find(({ fits }) => fits(seen));
  return rule && { state: rule.state, detail: detailLine((rule.detail ?? (({ lastSentence }) => lastSentence))(seen)) };
}

/** For when no model could be asked: the turn did end with an answer. */
export function jobByDefault(facts: JobFacts): JobVerdict {
  return { state: 'done', detail: detailLine(inspect(facts).firstSentence) };
}

function inspect(facts: JobFacts): Seen {
  const last = (facts.answers.at(-1) ?? '').replace(/```[\s\S]*?```/g, '').trim();
  const [ending = ''] = last.split(/\n\s*\n/).slice(-1);
  const sentences = sentencesOf(last);
  return { ...facts, ending: ending.trim(), firstSentence: sentences[0] ?? '', lastSentence: sentences.at(-1) ?? '' };
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.replace(/^[-*#>\s]+/, '').trim())
    .filter((sentence) => sentence !== '');
}

function sentenceWith(words: RegExp): (seen: Seen) => string {
  return ({ ending }) => sentencesOf(ending).find((sentence) => words.test(sentence)) ?? ending;
}

const MAX_DETAIL = 160;

export const detailLine = (text: string): string => oneLine(text, MAX_DETAIL);
