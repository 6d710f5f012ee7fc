import { truncateToWidth } from '@earendil-works/pi-tui';
import { terminalText } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { oneLine } from '../../../output/visibleText.ts';

/** The suggestion is shown in the empty input, which is below its border, and is not part of it. */
export function withSuggestion(
  input: readonly string[],
  suggestion: string,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  const ghost = terminalText(paint('dim', `${oneLine(suggestion, width - 12)} (tab takes it)`));
  return input.map((line, row) => (row === 1 ? truncateToWidth(`${line.trimEnd()}${ghost}`, width) : line));
}
