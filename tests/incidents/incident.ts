import type { CommandEnd, TestProject } from '../support/project.ts';

/** The numbers are those of USER_NEEDS.md, section 4; each test names where it happened. */

export const STREAM = ['--output-format', 'stream-json'];
export const ALLOWED = [...STREAM, '--dangerously-skip-permissions'];

export const bash = (command: string) => ({ name: 'Bash', input: { command, description: 'test' } });
export const command = (text: string, more: object = {}) => ({ type: 'command', command: text, ...more });

/** `--settings` with these hooks on one event. */
export const on = (event: string, ...entries: object[]) => settings({ [event]: entries });

/** `--settings` with hooks on several events. */
export const settings = (events: Readonly<Record<string, readonly object[]>>) => [
  '--settings',
  JSON.stringify({
    hooks: Object.fromEntries(Object.entries(events).map(([event, entries]) => [event, [{ hooks: entries }]])),
  }),
];

/** The sentence about hooks that gave no verdict, where there was one. */
export const noVerdict = ({ lines }: CommandEnd): string | undefined =>
  lines.find(({ subtype }) => subtype === 'stop_hook_error')?.content;

/** Everything the last request was told. */
export const toldLast = ({ server }: TestProject): string => JSON.stringify(server.seen.at(-1)?.body.messages);

/** JSON lines that a hook left. */
export const jsonLines = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
