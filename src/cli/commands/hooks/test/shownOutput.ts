import { stripVTControlCharacters } from 'node:util';
import { visibleText } from '../../../output/visibleText.ts';

const MAX_LINES = 20;
const MAX_CHARACTERS = 2_000;

/** The beginning of what a hook printed, without its colours; where it is cut, a last line says by how much. */
export function shownOutput(text: string): readonly string[] {
  const whole = visibleText(stripVTControlCharacters(text)).trimEnd();
  if (whole === '') return [];
  const shown = whole.slice(0, MAX_CHARACTERS).split('\n').slice(0, MAX_LINES);
  const left = whole.length - shown.join('\n').length;
  if (left === 0) return shown;
  const dropped = /\[… (\d+) bytes were left out here …\]/.exec(text)?.[1];
  const lost = dropped === undefined ? '' : `, and ${counted(dropped)} bytes that were not kept`;
  return [...shown, `… ${counted(left)} more characters${lost} (--json shows all that was kept)`];
}

const counted = (count: number | string) => Number(count).toLocaleString('en-US');
