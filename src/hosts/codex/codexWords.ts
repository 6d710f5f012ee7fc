import { type ReadWords, readWords } from '../commandWords.ts';

/** Of `codex exec`, 0.169.0. */
const VALUED = new Set([
  ...[
    '-c',
    '--config',
    '--enable',
    '--disable',
    '-i',
    '--image',
    '-m',
    '--model',
    '--local-provider',
    '-p',
    '--profile',
  ],
  ...['-s', '--sandbox', '-C', '--cd', '--add-dir', '--thread-source', '--cyber-access-program', '--output-schema'],
  ...['--color', '-o', '--output-last-message'],
]);

/** The others are the prompt, or a subcommand with its words. */
export const readCodexWords = (words: readonly string[]): ReadWords => readWords(words, { valued: VALUED });
