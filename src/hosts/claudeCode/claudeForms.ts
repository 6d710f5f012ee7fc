import { UserError } from '../../system/userError.ts';
import type { OutputForm } from '../outputForms.ts';

/** Only with this does Claude Code report what a message cost before the whole turn has ended. */
const PIECES = '--include-partial-messages';
const STREAM = ['--output-format', 'stream-json', '--verbose', PIECES];

/** How Claude Code is started, and what its output must become for the reader. */
export interface ClaudeForm {
  readonly args: readonly string[];
  readonly form: OutputForm;
  /** Whether what it prints carries what it spends. */
  readonly showsSpend: boolean;
}

/**
 * Limits are read from the stream, so a limited run always streams; the reader gets the form that the words ask for. Without a
 * limit nothing is changed.
 */
export function claudeForm(words: readonly string[], limited: boolean): ClaudeForm {
  const { format, rest } = withoutFormat(words);
  if (format === 'stream-json') return streamed(words, limited);
  // a session that goes on counts in its json what it spent before this launch
  if (!limited) return { args: words, form: 'asIs', showsSpend: format === 'json' && !isContinued(words) };
  const form = Object.hasOwn(FORMS, format) ? FORMS[format] : undefined;
  // Claude Code refuses it
  if (form === undefined) return { args: words, form: 'asIs', showsSpend: false };
  if (format === 'json' && rest.includes('--verbose'))
    throw new UserError(
      '--token-budget and --max-budget-usd cannot be held with --output-format json --verbose; leave --verbose out, or use stream-json.',
    );
  const plain = rest.filter((word) => word !== '--verbose' && word !== PIECES);
  return { args: [...plain, ...STREAM], form, showsSpend: true };
}

const FORMS: Readonly<Record<string, OutputForm>> = { text: 'text', json: 'json' };

function streamed(words: readonly string[], limited: boolean): ClaudeForm {
  const hidesPieces = limited && !words.includes(PIECES);
  return {
    args: hidesPieces ? [...words, PIECES] : words,
    form: hidesPieces ? 'withoutPieces' : 'asIs',
    showsSpend: true,
  };
}

const FORMAT = '--output-format';

/** The last format that the words name, and the words without it. */
function withoutFormat(words: readonly string[]): { readonly format: string; readonly rest: readonly string[] } {
  let format = 'text';
  const rest: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word.startsWith(`${FORMAT}=`)) format = word.slice(FORMAT.length + 1);
    else if (word === FORMAT) format = words[++at] ?? '';
    else rest.push(word);
  }
  return { format, rest };
}

const isContinued = (words: readonly string[]) =>
  words.some((word) => /^(?:-c|-r|--continue|--resume|--from-pr)(?:=|$)/.test(word));

/** Whether an option is among the words, with its value behind it or after an equals sign. */
export const hasOption = (words: readonly string[], name: string): boolean =>
  words.some((word) => word === name || word.startsWith(`${name}=`));
