import { randomBytes } from 'node:crypto';
import { failureOf, type Git, GitError } from '../../git/git.ts';
import type { JudgeFacts } from '../../schemas/ledger.ts';
import { judgeRule, parseConfig } from '../../stop/checks/readConfig.ts';
import type { JudgeRule } from '../../stop/checks/types.ts';
import {
  type AskJudgeModel,
  addSpend,
  askJudge,
  type JudgeAnswer,
  NO_SPEND,
} from '../../stop/verify/judge/askJudge.ts';
import { decideJudged, type JudgedDecision } from '../../stop/verify/judge/decideJudged.ts';
import { type DiffExcerpt, diffExcerpt } from '../../stop/verify/judge/diffExcerpt.ts';
import { judgeQuestion } from '../../stop/verify/judge/judgeQuestion.ts';
import type { Verdict } from '../../stop/verify/verdict.ts';
import type { Work } from '../../stop/verify/workPlace.ts';
import type { Attempt, AttemptDetails, Task } from '../../store/types.ts';
import { redactKnown, redactSecrets } from '../../system/redactSecrets.ts';
import { secretValues } from '../../system/secretPolicy.ts';
import type { World } from '../../system/world.ts';
import { baseOfTask } from './baseOfTask.ts';

export type JudgeDetails = NonNullable<AttemptDetails['judge']>;

/** Who may ask, and with what. */
export interface JudgePlace {
  readonly git: Git;
  readonly world: Pick<World, 'clock' | 'env'>;
  readonly ask: AskJudgeModel;
}

export interface JudgedWork {
  readonly task: Pick<Task, 'title' | 'body' | 'judge' | 'countedFrom'>;
  readonly attempt: Attempt;
  /** Of the task, this one too. */
  readonly attempts: readonly Attempt[];
  readonly work: Pick<Work, 'frozen' | 'commit' | 'repository'>;
  /** Of the checks, which have passed. */
  readonly verdict: Verdict;
  readonly signal: AbortSignal;
}

export type WorkJudged =
  | { readonly type: 'notAsked' }
  | { readonly type: 'aborted' }
  | {
      readonly type: 'judged';
      readonly decision: JudgedDecision;
      readonly facts: JudgeFacts;
      /** Of the attempt, with what earlier verifiers spent on it. */
      readonly details: JudgeDetails;
    };

/** The second step of a verification: a model compares the diff with what the task asked. */
export async function judgeWork(judged: JudgedWork, place: JudgePlace): Promise<WorkJudged> {
  const { task, attempt, attempts, work, verdict } = judged;
  const found = ruleOf(work.frozen, task);
  if (found === null) return { type: 'notAsked' };
  const { rule, criteria } = found;
  const diff = await diffOfTask(judged, place.git);
  const answer =
    typeof diff === 'string'
      ? { judgement: { type: 'none' as const, reason: diff }, spend: NO_SPEND }
      : await askAbout({ judged, diff, rule, criteria }, place);
  if (answer === null) return { type: 'aborted' };
  const judgement = withoutSecrets(answer.judgement, place.world.env);
  const rejections = attempts.filter((one) => isRejection(one, task) && one.epoch < attempt.epoch).length;
  const decision = decideJudged({ checks: verdict, judgement, rule, rejections });
  const facts: JudgeFacts = {
    ...answer.spend,
    verdict: judgement.type,
    reason: judgement.reason,
    criteria,
    notShown: typeof diff === 'string' ? [] : diff.cut,
  };
  return { type: 'judged', decision, facts, details: detailsOf(facts, attempt.details.judge) };
}

const isRejection = ({ epoch, details }: Attempt, { countedFrom }: Pick<Task, 'countedFrom'>) =>
  epoch > countedFrom && details.judge?.verdict === 'rejected';

/** Of the definition of done as it was when the attempt began, and of the task; null where neither wants a judge. */
function ruleOf(
  { text, file }: Work['frozen'],
  { judge }: Pick<Task, 'judge'>,
): { readonly rule: JudgeRule; readonly criteria: string[] } | null {
  const config = parseConfig(text, file);
  const ofProject = config.type === 'config' ? config.done.judge : null;
  if (ofProject === null && judge === null) return null;
  const rule = ofProject ?? judgeRule({});
  return { rule, criteria: [rule.criteria, judge].filter((one) => one !== null) };
}

function withoutSecrets({ type, reason }: JudgeAnswer['judgement'], env: World['env']): JudgeAnswer['judgement'] {
  return { type, reason: redactSecrets(reason, secretValues(env)) };
}

interface About {
  readonly judged: JudgedWork;
  readonly diff: DiffExcerpt;
  readonly rule: JudgeRule;
  readonly criteria: readonly string[];
}

function askAbout({ judged, diff, rule, criteria }: About, { world, ask }: JudgePlace): Promise<JudgeAnswer | null> {
  const { task, attempt, verdict, signal } = judged;
  const { title, body } = task;
  const mark = randomBytes(8).toString('hex');
  const { checks } = verdict.ending;
  const { system, prompt } = judgeQuestion({ title, body, criteria, diff, checks, claim: attempt.result }, mark);
  // an agent may have committed a key of the environment, and this model may belong to another provider
  const question = { system, prompt: redactKnown(prompt, secretValues(world.env)) };
  return askJudge({ question, rule, mark, signal, clock: world.clock, ask });
}

/**
 * All that the task changed: an attempt that continued an earlier one is judged with what that one did. A sentence when it cannot be
 * shown.
 */
async function diffOfTask({ attempt, attempts, work }: JudgedWork, git: Git): Promise<DiffExcerpt | string> {
  const { commit, repository } = work;
  if (commit === null) return 'there is no commit of the work that it could be shown';
  const base = baseOfTask(attempt, attempts);
  if (base === undefined) return 'it is not known what the work was based on';
  const excerpt = diffExcerpt();
  // neither attributes of the work, nor its `.gitmodules`, nor the repository's configuration must hide a change or make git too slow
  const shown = ['--text', '--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];
  const args = ['diff-tree', '-r', '-p', '-M', '-l400', '--diff-algorithm=myers', ...shown, base, commit];
  try {
    const end = await git.run({ folder: repository, args, onLine: excerpt.line });
    if (end.type === 'failed') throw new GitError(end);
  } catch (error) {
    return `its diff could not be read: ${failureOf(error).reason}`;
  }
  return excerpt.end();
}

function detailsOf(facts: JudgeFacts, before: JudgeDetails | undefined): JudgeDetails {
  const earlier = { inputTokens: 0, outputTokens: 0, asks: 0, ...before };
  const sum = addSpend({ ...NO_SPEND, ...earlier, usd: before?.costUsd ?? 0 }, facts);
  return {
    verdict: facts.verdict,
    reason: facts.reason,
    ...(facts.model !== null && { model: facts.model }),
    inputTokens: sum.inputTokens,
    outputTokens: sum.outputTokens,
    ...(sum.usd !== null && { costUsd: sum.usd }),
    asks: earlier.asks + 1,
  };
}
