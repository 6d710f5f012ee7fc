import { truncateToWidth, visibleWidth } from '@earendil-works/pi-tui';
import { taskName } from '../../../../background/taskName.ts';
import type { BackgroundRun } from '../../../../schemas/backgroundRuns.ts';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { TypedPrompt } from '../typedPrompts.ts';

const MOST = 3;

/** Short sentences above the input, at the right, until the next prompt. */
export class Notices {
  readonly #paint: Paint;
  #texts: readonly string[] = [];

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  add(text: string): void {
    this.#texts = [...this.#texts.filter((one) => one !== text), text].slice(-MOST);
  }

  clear(): void {
    this.#texts = [];
  }

  lines(width: number): readonly string[] {
    return this.#texts.map((text) => {
      const line = truncateToWidth(terminalText(this.#paint('yellow', text)), width);
      return `${' '.repeat(Math.max(0, width - visibleWidth(line)))}${line}`;
    });
  }
}

/** What was typed and no turn has taken yet. */
export const queueLines = (waiting: readonly TypedPrompt[], paint: Paint): readonly string[] =>
  waiting.map(({ text, for: use }, at) => {
    const hint = at === waiting.length - 1 ? ' (alt+↑ edits)' : '';
    return paint('magenta', `${use === 'steer' ? '↳ next step' : '⧗ after this turn'}: ${oneLine(text)}${hint}`);
  });

/** The suggestion is shown in the empty input, which is below its border, and is not part of it. */
export function withSuggestion(
  input: readonly string[],
  suggestion: string,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const ghost = terminalText(paint('dim', `${oneLine(suggestion, width - 12)} (tab takes it)`));
  return input.map((line, row) => (row === 1 ? truncateToWidth(`${line.trimEnd()}${ghost}`, width) : line));
}

/** What a person is told of work after a turn; null for what they need not know. */
export function backgroundNotice({ task, outcome, reason }: BackgroundRun): string | null {
  if (outcome === 'failed') return `${taskName(task)} failed: ${reason}`;
  const keepsMemory = task === 'memory_extraction' || task === 'auto_dream';
  return keepsMemory && outcome === 'ran' ? `${taskName(task)}: ${reason} · /memory to see` : null;
}
