import type { Paint } from '../../../output/colors.ts';
import { oneLine } from '../../../output/visibleText.ts';
import type { TypedPrompt } from '../typedPrompts.ts';

/** What was typed and no turn has taken yet. */
export const queueLines = (waiting: readonly TypedPrompt[], paint: Paint): readonly string[] =>
  waiting.map(({ text, for: use }, at) => {
    const hint = at === waiting.length - 1 ? ' (alt+↑ edits)' : '';
    return paint('magenta', `${use === 'steer' ? '↳ next step' : '⧗ after this turn'}: ${oneLine(text)}${hint}`);
  });
