import { visibleText } from '../../../output/visibleText.ts';

const LINE_CHARACTERS = 4_000;

/** Colors of a log, which have no meaning here: as escapes, or as the text that escapes become in a log. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be removed
const COLORS = /(?:\u001b|\\u001b)\[[\d;]*m/g;

/** One line of an output as it can be shown: no control characters, no tabs. */
export const shownLine = (line: string): string =>
  visibleText(line.slice(0, LINE_CHARACTERS).replaceAll(COLORS, '')).replaceAll('\t', '    ');
