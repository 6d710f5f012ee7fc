import type { ShellPart } from './shellTypes.ts';

/** Builtins that take names of variables: bash evaluates the subscript of `a[$(rm x)]`, quoted or not. */
const NAMING = new Set(
  '[ test printf let unset declare typeset local export readonly read mapfile readarray getopts wait'.split(' '),
);
const SUBSCRIPT = /\w\[.*[$`]/s;
/** Variables that bash runs or expands by itself, sooner or later. */
const RUN_LATER = /^(?:PS[0-4]|PROMPT_COMMAND)=/;

export interface Evaluated {
  readonly scripts: readonly string[];
  readonly unclear?: string;
}

/** Texts in a command that bash expands although they are quoted. */
export function evaluatedWords({ words, assignments }: ShellPart): Evaluated {
  const [head, ...rest] = words;
  const subscripts = NAMING.has(head?.text ?? '') ? rest.filter(({ text }) => SUBSCRIPT.test(text)) : [];
  const later = [...assignments.map(({ raw }) => raw), ...words.map(({ text }) => text)]
    .filter((text) => RUN_LATER.test(text) && /[$`]|^PROMPT/.test(text))
    .map((text) => text.replace(/^\w+=\$?['"]?/, '').replace(/['"]$/, ''));
  if (subscripts.length + later.length === 0) return { scripts: [] };
  return {
    scripts: [...subscripts.map(({ text }) => `: ${text}`), ...later.flatMap((text) => [`: ${text}`, text])],
    unclear: 'bash evaluates a text in it that is quoted',
  };
}
