import type { ShellPart } from './shellTypes.ts';
import type { Unwrapped } from './unwrapped.ts';

/** Variables whose value a shell or a program runs, by their name. */
const RUN =
  /^(?:BASH_ENV|ENV|PROMPT_COMMAND|PS[0-4]|LESSOPEN|LESSCLOSE|MANOPT|SHELLOPTS|BASHOPTS|GIT_EXTERNAL_DIFF|GIT_SSH|CC|CXX|LD|AR|.*(?:EDITOR|VISUAL|PAGER|BROWSER|_COMMAND|_ASKPASS|_RSH|SHELL|_PROXY_COMMAND|_CMD|_WRAPPER|_HOOK|_FILTER))$/;

const SETS = new Set(['export', 'declare', 'typeset', 'readonly', 'local', 'env', 'sudo']);

/** What a command hands to programs by way of variables: `GIT_EDITOR='rm x' git commit`, `export BASH_ENV=x`. */
export function variableRuns({ assignments, words }: ShellPart): Pick<Unwrapped, 'scripts' | 'hidden'> {
  const [head, ...rest] = words;
  const named = SETS.has(head?.text ?? '') ? rest : [];
  const given = [
    ...assignments.map(({ name, value }) => ({ name, text: value.text, expands: value.expands })),
    ...named.flatMap(({ text, expands }) => {
      const match = /^([A-Za-z_]\w*)\+?=(.*)$/s.exec(text);
      return match ? [{ name: match[1] ?? '', text: match[2] ?? '', expands }] : [];
    }),
  ];
  // a shell by its path is started with words that others choose
  const run = given.filter(({ name, text }) => RUN.test(name) && !(name.endsWith('SHELL') && /^[\w./-]*$/.test(text)));
  const odd = run.find(
    ({ text, expands, name }) => expands || (/^(?:BASH_ENV|ENV|PS[0-4])$/.test(name) && /[$`/]/.test(text)),
  );
  return {
    // some are expanded before they are used, so that what stands in them is read both ways
    scripts: run
      .flatMap(({ text }) => (/[$`]/.test(text) ? [text, `: ${text}`] : [text]))
      .filter((text) => text !== ''),
    ...(odd ? { hidden: `it sets ${odd.name}, which decides what runs` } : {}),
  };
}
