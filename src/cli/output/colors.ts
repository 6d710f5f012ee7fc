import { styleText } from 'node:util';
import { ownEscape } from '../../system/terminalText.ts';

type Style = Parameters<typeof styleText>[0];

/** Colors text; never in a pipe or with NO_COLOR. */
export type Paint = (style: Style, text: string) => string;

export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal && env.TERM !== 'dumb';
  return wanted && !env.NO_COLOR ? painted : (_style, text) => text;
}

/** Uses our own escapes, the only ones that the writer passes on: the text may contain others. */
function painted(style: Style, text: string): string {
  const [open = '', close = ''] = styleText(style, '\n', { validateStream: false }).split('\n').map(asOwn);
  // nested paint ends with the same code, so the outer style starts again after it
  return `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: matches escapes
const asOwn = (codes: string) => codes.replace(/\u001b\[(\d+)m/g, (_all, code) => ownEscape(code, 'm'));
