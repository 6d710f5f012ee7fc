import { keptOptions, readWords } from '../commandWords.ts';

/** Of 1.0.102. */
const VALUED = new Set([
  ...['-p', '--prompt', '-i', '--interactive', '--model', '--reasoning-effort', '--context', '--auto-tier', '--agent'],
  ...['-n', '--name', '--session-id', '-C', '--log-dir', '--extension-sdk-path', '--log-level', '--stream'],
  ...['--output-format', '--add-dir', '--attachment', '--disable-mcp-server', '--add-github-mcp-toolset'],
  ...['--add-github-mcp-tool', '--plugin-dir', '--additional-mcp-config', '--mcp-github-auth', '--mode'],
  ...['--max-autopilot-continues', '--dynamic-retrieval', '--enable-mcp-server', '--max-ai-credits'],
  '--usage-output-file',
]);
const LISTED = new Set([
  ...['--allow-tool', '--deny-tool', '--available-tools', '--excluded-tools', '--secret-env-vars', '--allow-url'],
  ...['--deny-url', '-r', '--resume', '--connect', '--share'],
]);

const TABLE = { valued: VALUED, listed: LISTED };

/** A first word that is not an option is the prompt. */
export function asPrompt(words: readonly string[]): readonly string[] {
  const [first] = words;
  return first === undefined || first.startsWith('-') ? words : ['-p', ...words];
}

/** Options that choose the prompt or the session; a folder is trusted for a new session only. */
const OF_ONE_RUN =
  /^(?:-p|--prompt|-i|--interactive|--session-id|-r|--resume|--connect|--continue|--trust-folder)(?:=|$)/;

/** The options that a continued session keeps. */
export const copilotOptions = (words: readonly string[]): readonly string[] =>
  keptOptions(asPrompt(words), TABLE, OF_ONE_RUN);

/** The session that the words name; `last` for the most recent one, null for a new one. */
export function sessionIn(words: readonly string[]): string | 'last' | null {
  const { options } = readWords(words, TABLE);
  if (options.includes('--continue')) return 'last';
  for (const [at, word] of options.entries()) {
    const [, value] = /^(?:--session-id|-r|--resume|--connect)=(.*)$/.exec(word) ?? [];
    if (value !== undefined) return value;
    if (/^(?:--session-id|-r|--resume|--connect)$/.test(word)) {
      const next = options[at + 1];
      return next === undefined || next.startsWith('-') ? 'last' : next;
    }
  }
  return null;
}
