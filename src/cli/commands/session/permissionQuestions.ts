import type { PermissionQuestion, PersonsAnswer } from '../../../query/person.ts';
import { isObject } from '../../../schemas/jsonValue.ts';
import type { PermissionUpdate } from '../../../schemas/permissionAnswer.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import type { Paint } from '../../output/colors.ts';
import type { Panel } from '../../output/screen/panels/panel.ts';
import { textPanel } from '../../output/screen/panels/textPanel.ts';
import { oneLine } from '../../output/visibleText.ts';
import { type PermissionChoice, permissionPanel } from './permissionPanel.ts';
import { callLines } from './view/blocks.ts';

interface Asking {
  readonly paint: Paint;
  show(panel: Panel): () => void;
  isBeingTyped(): boolean;
  /** Called when a question appears, for a person who looks elsewhere. */
  needsYou(text: string): void;
  /** The person wants to write what to do instead. */
  awaitWords(): void;
  /** Rules that hold from now on, for the session or for good. */
  allow(updates: readonly PermissionUpdate[], choice: PermissionChoice, question: PermissionQuestion): Promise<void>;
}

const INTERRUPTED: Extract<PersonsAnswer, { type: 'deny' }> = {
  type: 'deny',
  reason: 'The user interrupted.',
  ends: true,
};
const WILL_SAY: Extract<PersonsAnswer, { type: 'deny' }> = {
  type: 'deny',
  reason: 'The user said no, and will say what to do instead.',
  ends: true,
};

/** What a turn that a person ended at a question has as its reason. */
export const PERSONS_REASONS: ReadonlySet<string> = new Set([INTERRUPTED, WILL_SAY].map(({ reason = '' }) => reason));

/** Questions of all agents, one after the other. */
export class PermissionQuestions {
  readonly #asking: Asking;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #allowed: readonly PermissionUpdate[] = [];

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  ask(question: PermissionQuestion, signal: AbortSignal): Promise<PersonsAnswer> {
    this.#waiting++;
    const answer = this.#last.then(() => this.#askNow(question, signal)).finally(() => void this.#waiting--);
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #askNow(question: PermissionQuestion, signal: AbortSignal): Promise<PersonsAnswer> {
    if (signal.aborted) return INTERRUPTED;
    // an answer to an earlier question may have settled this one
    if (question.isAllowedAfter(this.#allowed)) return { type: 'allow', updates: this.#allowed };
    const choice = await this.#choose(question, signal);
    if (choice === null) return INTERRUPTED;
    if (choice.answer === 'why') {
      this.#asking.awaitWords();
      return WILL_SAY;
    }
    const { answer } = choice;
    if (answer.type === 'allow' && answer.updates !== undefined) {
      this.#allowed = [...this.#allowed, ...answer.updates];
      await this.#asking.allow(answer.updates, choice, question);
    }
    return answer;
  }

  /** Null when the turn or the person interrupts. */
  async #choose(question: PermissionQuestion, signal: AbortSignal): Promise<PermissionChoice | null> {
    const { paint, show, needsYou, isBeingTyped } = this.#asking;
    const { promise, resolve } = Promise.withResolvers<PermissionChoice | null>();
    const onAbort = () => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    const others = () => this.#waiting - 1;
    const call = callOf(question, paint);
    const view = () => this.#view(question, call);
    const close = show(permissionPanel({ question, call, paint, others, choose: resolve, view, isBeingTyped }));
    needsYou(`Stopgate needs your permission to use ${question.toolName}`);
    const choice = await promise;
    signal.removeEventListener('abort', onAbort);
    close();
    return choice;
  }

  #view({ toolName, suggestion }: PermissionQuestion, call: readonly string[]): void {
    const { paint, show } = this.#asking;
    const rules = suggestion.map((rule) => paint('dim', `s and a add the rule ${oneLine(rule)}`));
    const lines = rules.length === 0 ? call : [...call, '', ...rules];
    const text = () => lines;
    const title = `All of the ${oneLine(toolName)} call`;
    const close = show(textPanel({ title, text, paint, isFull: true, close: () => close() }));
  }
}

const MAX_BYTES = 1_000_000;

/** With the difference to the file that the call would replace. */
function callOf({ toolName, input }: PermissionQuestion, paint: Paint): readonly string[] {
  const file =
    isObject(input) && typeof input.file_path === 'string' ? readTextFileSync(input.file_path, MAX_BYTES) : null;
  return callLines(toolName, input, { paint, onDisk: file?.type === 'read' ? file.text : null });
}
