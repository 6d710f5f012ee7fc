import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** Paints text, or does not: never in a pipe, never with NO_COLOR. */
export type Paint = (style: Style, text: string) => string;

export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  const wanted = env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : isTerminal && env.TERM !== 'dumb';
  const coloured = wanted && !env.NO_COLOR;
  return coloured ? (style, text) => styleText(style, text, { validateStream: false }) : (_style, text) => text;
}
