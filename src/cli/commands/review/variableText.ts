/** Linux passes at most 128 KiB in one variable, and 2 MiB in all; each character takes up to three bytes or, as two units, four. */
const LONGEST = 30_000;
const CUT = '\n… (cut; all of it is in the JSON on stdin)';

/** A text as a variable of a command: an agent's result may be longer than the system passes, or contain what no variable can. */
export function variableText(text: string): string {
  const shown = text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}${CUT}`;
  return shown.replaceAll('\0', '\ufffd');
}
