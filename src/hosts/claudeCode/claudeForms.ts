import { UserError } from '../../system/userError.ts';
import type { OutputForm } from '../host.ts';
import { asPrinted } from '../plainAgent.ts';
import { takeOption } from '../promptWords.ts';
import { FORMS, withoutPieces } from './outputForms.ts';

/** Only with this does Claude Code report the cost of a message before the turn has ended. */
const PIECES = '--include-partial-messages';
const FORMAT = ['--output-format'];
const STREAM = [...FORMAT, 'stream-json', '--verbose', PIECES];

/** How Claude Code is started, and how its output is converted for the reader. */
export interface ClaudeForm {
  readonly args: readonly string[];
  readonly form: OutputForm;
  /** Whether its output contains what it spends. */
  readonly showsSpend: boolean;
}

/**
 * Limits are read from the stream, so a limited run always streams; the reader gets the format that the arguments name.
 * Without a limit nothing changes; `ifPossible` streams like a limit, but never fails.
 */
export function claudeForm(words: readonly string[], limited: boolean | 'ifPossible'): ClaudeForm {
  const { value: format = 'text', others } = takeOption(words, FORMAT);
  if (format === 'stream-json') return streamed(words, limited);
  // the json of a continued session includes what it spent before this launch
  if (!limited) return { args: words, form: asPrinted, showsSpend: format === 'json' && !isContinued(words) };
  const form = Object.hasOwn(FORMS, format) ? FORMS[format] : undefined;
  // Claude Code refuses it
  if (form === undefined) return { args: words, form: asPrinted, showsSpend: false };
  const isUnreadable = format === 'json' && others.includes('--verbose');
  if (isUnreadable && limited === 'ifPossible') return { args: words, form: asPrinted, showsSpend: false };
  if (isUnreadable)
    throw new UserError(
      '--token-budget and --max-budget-usd cannot be enforced with --output-format json --verbose; remove --verbose, or use stream-json.',
    );
  const plain = others.filter((word) => word !== '--verbose' && word !== PIECES);
  return { args: [...plain, ...STREAM], form, showsSpend: true };
}

function streamed(words: readonly string[], limited: boolean | 'ifPossible'): ClaudeForm {
  const hidesPieces = limited !== false && !words.includes(PIECES);
  return {
    args: hidesPieces ? [...words, PIECES] : words,
    form: hidesPieces ? withoutPieces : asPrinted,
    showsSpend: true,
  };
}

const isContinued = (words: readonly string[]) =>
  words.some((word) => /^(?:-c|-r|--continue|--resume|--from-pr)(?:=|$)/.test(word));
