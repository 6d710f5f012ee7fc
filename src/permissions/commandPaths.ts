import { type Places, pathLookup } from './pathLookup.ts';
import { expandGlobs } from './shell/expandGlobs.ts';
import type { FoundCommand } from './shell/findCommands.ts';
import { operandUse } from './shell/operandUse.ts';
import type { ShellRedirect, ShellWord } from './shell/shellTypes.ts';
import { commandName } from './shell/unwrapCommand.ts';

/** A file that a command line names. */
export interface CommandPath {
  readonly path: string;
  /** `either` for the words of a program that is not known: it may do both. */
  readonly use: 'write' | 'read' | 'either';
  readonly redirected: boolean;
  /** Set when the word may be any path: it has more wildcards than can be looked up. */
  readonly any?: boolean;
}

/** Commands whose words are text, not files. */
export const SPEAKERS: ReadonlySet<string> = new Set(['echo', 'printf', ':', 'true', 'false', 'expr', 'seq', 'sleep']);
/** A line that goes to more folders than these may be anywhere. */
const MAX_FOLDERS = 20;

/** Folders from which relative words may start: where the shell stands, and wherever it goes with `cd`. */
export function startingFolders(commands: readonly FoundCommand[], places: Places): readonly string[] {
  const folders = new Set(pathLookup(places).places(places.cwd ?? places.projectDir, '.'));
  let last: readonly string[] = [...folders];
  for (const { part } of commands) {
    const [head, ...rest] = part.words;
    const target = rest.find(({ text }) => !text.startsWith('-'));
    if ((head?.text !== 'cd' && head?.text !== 'pushd') || target === undefined) continue;
    last = [...new Set(pathsOf(target.text, target.globs, { folders: last, places }).map(({ path }) => path))];
    for (const folder of last) folders.add(folders.size < MAX_FOLDERS ? folder : '/');
    last = last.slice(0, 6);
  }
  return [...folders];
}

/** Every word and redirection that may be a file, as absolute paths; best effort, since any word may be one. */
export function commandPaths(found: FoundCommand, folders: readonly string[], places: Places): readonly CommandPath[] {
  const [head, ...words] = found.part.words;
  const name = commandName(head?.text ?? '');
  const use = operandUse(found.part.words);
  // A line may say the same word thousands of times.
  const named = SPEAKERS.has(name) ? [] : new Map(words.map((word) => [word.raw, word])).values().toArray();
  const from = { folders, places };
  return [
    ...named.flatMap((word) =>
      fileTexts(word, name).flatMap((text) =>
        pathsOf(text, word.globs, from).map((path): CommandPath => ({ ...path, use, redirected: false })),
      ),
    ),
    ...found.part.redirects
      .filter(opensFile)
      .flatMap((redirect) =>
        pathsOf(redirect.target.text, redirect.target.globs, from).map(
          (path): CommandPath => ({ ...path, use: useOf(redirect), redirected: true }),
        ),
      ),
  ];
}

interface From {
  readonly folders: readonly string[];
  readonly places: Places;
}

/** What a word may name, by name and with links followed: what holds for either holds for the word. */
function pathsOf(text: string, globs: boolean, { folders, places }: From): Pick<CommandPath, 'path' | 'any'>[] {
  const lookup = pathLookup(places);
  const plain = withHome(text, places);
  return folders.flatMap((folder) => {
    const texts = globs ? expandGlobs(plain, folder, lookup.names) : [plain];
    const any = texts === undefined ? { any: true } : {};
    return (texts ?? [plain]).flatMap((one) => lookup.places(folder, one).map((path) => ({ path, ...any })));
  });
}

/** Reads as well as `write`s: a redirection that opens a file of its own. */
export function opensFile({ operator, target }: ShellRedirect): boolean {
  if (operator === '<<<') return false;
  if (operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text)) return false;
  return !/^\/dev\/(?:null|stdin|stdout|stderr|tty|fd\/\d+)$/.test(target.text);
}

export function useOf({ operator }: ShellRedirect): 'write' | 'read' {
  return operator.includes('>') ? 'write' : 'read';
}

/** `--file=/etc/passwd` and `-f/etc/passwd` name a file too. */
function fileTexts({ text }: ShellWord, command: string): string[] {
  // `HEAD:.env` is a file of a commit
  const colon = command === 'git' ? text.indexOf(':') : -1;
  if (colon >= 0 && !text.startsWith('-')) return [text, text.slice(colon + 1)];
  // a pattern of names to pass over
  if (/^[ef]?grep$/.test(command) && /^--(?:ex|in)clude/.test(text)) return [];
  if (text.startsWith('-')) {
    const at = text.search(/[=/~]/);
    return at < 0 ? [] : [text.slice(text[at] === '=' ? at + 1 : at)];
  }
  const equals = text.indexOf('=');
  // `-F file=@/etc/passwd`, `-d @/etc/passwd`
  const sent = text.lastIndexOf('@');
  return [text, ...(equals > 0 ? [text.slice(equals + 1)] : []), ...(sent >= 0 ? [text.slice(sent + 1)] : [])];
}

function withHome(text: string, { homeDir, projectDir, cwd }: Places): string {
  return text
    .replace(/^~(?=\/|$)/, homeDir)
    .replace(/^\$(?:HOME\b|\{HOME\})/, homeDir)
    .replace(/^\$(?:PWD\b|\{PWD\})/, cwd ?? projectDir);
}
