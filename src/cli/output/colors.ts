import { styleText } from 'node:util';
import { ownEscape } from '../../system/terminalText.ts';

type Style = Parameters<typeof styleText>[0];

/** Paints text, or does not: never in a pipe, never with NO_COLOR. */
export type Paint = (style: Style, text: string) => string;

export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal && env.TERM !== 'dumb';
  const coloured = wanted && !env.NO_COLOR;
  return coloured ? painted : (_style, text) => text;
}

/** With escapes of our own, the only ones that the writer lets through: what is painted may bring others. */
function painted(style: Style, text: string): string {
  const [open = '', close = ''] = styleText(style, '\n', { validateStream: false }).split('\n').map(asOwn);
  // what is painted inside ends with the same code, and the rest is still to be painted
  return `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape is what is looked for
const asOwn = (codes: string) => codes.replace(/\u001b\[(\d+)m/g, (_all, code) => ownEscape(code, 'm'));
