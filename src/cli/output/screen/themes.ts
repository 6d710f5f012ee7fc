import type { Environment } from '../../../system/environment.ts';
import { ownValue } from '../../../system/ownValue.ts';
import { ownEscape } from '../../../system/terminalText.ts';
import { type Paint, paintFor } from '../colors.ts';

type Theme = 'dark' | 'light';

/** On a light background the terminal's own yellow, cyan and bright colors are hard to read. */
const LIGHT: Readonly<Record<string, number>> = {
  yellow: 130,
  yellowBright: 94,
  cyan: 24,
  green: 22,
  magenta: 90,
  blueBright: 26,
  redBright: 124,
};

/** `STOPGATE_THEME`, else the background that the terminal reports in `COLORFGBG`. */
function themeOf(env: Environment): Theme {
  if (env.STOPGATE_THEME === 'light' || env.STOPGATE_THEME === 'dark') return env.STOPGATE_THEME;
  const background = Number(env.COLORFGBG?.split(';').at(-1) ?? Number.NaN);
  return background === 7 || background === 15 ? 'light' : 'dark';
}

export function themedPaint(env: Environment, isPlain: boolean): Paint {
  const paint = paintFor(!isPlain, env);
  const hasColors = paint('red', 'x') !== 'x';
  if (!hasColors || themeOf(env) === 'dark') return paint;
  return (style, text) => {
    const color = typeof style === 'string' ? ownValue(LIGHT, style) : undefined;
    if (color === undefined) return paint(style, text);
    const open = ownEscape(`38;5;${color}`, 'm');
    const close = ownEscape('39', 'm');
    return `${open}${text.replaceAll(close, `${close}${open}`)}${close}`;
  };
}
