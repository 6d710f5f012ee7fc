import { resolve } from 'node:path';
import type { FoundCommand } from './findCommands.ts';
import type { ShellRedirect, ShellWord } from './shellTypes.ts';
import type { PermissionFacts } from './types.ts';
import { commandName } from './unwrapCommand.ts';

/** A file that a command line names. */
export interface CommandPath {
  readonly path: string;
  readonly use: 'write' | 'read';
  readonly redirected: boolean;
}

type Places = Pick<PermissionFacts, 'projectDir' | 'homeDir' | 'cwd'>;

/** Commands whose words are text, not files. */
const SPEAKERS = new Set(['echo', 'printf', ':', 'true', 'false']);
const WRITERS = new Set(
  'rm rmdir unlink shred mv cp ln tee touch mkdir truncate dd install chmod chown chgrp rsync patch sed perl ed ex'.split(
    ' ',
  ),
);

/** Folders from which relative words may start: where the shell stands, and wherever it goes with `cd`. */
export function startingFolders(commands: readonly FoundCommand[], places: Places): readonly string[] {
  const folders = [places.cwd ?? places.projectDir];
  for (const { part } of commands) {
    const [head, target] = part.words.map(({ text }) => text);
    if ((head === 'cd' || head === 'pushd') && target !== undefined && folders.length < 20) {
      folders.push(resolve(folders.at(-1) ?? '/', withHome(target, places)));
    }
  }
  return folders;
}

/** Every word and redirection that may be a file, as absolute paths; best effort, since any word may be one. */
export function commandPaths(found: FoundCommand, folders: readonly string[], places: Places): readonly CommandPath[] {
  const absolute = (text: string) => folders.map((folder) => resolve(folder, withHome(text, places)));
  const [head, ...words] = found.part.words;
  const name = commandName(head?.text ?? '');
  const use = WRITERS.has(name) ? 'write' : 'read';
  const named = SPEAKERS.has(name) ? [] : words.flatMap(fileTexts);
  return [
    ...named.flatMap(absolute).map((path): CommandPath => ({ path, use, redirected: false })),
    ...found.part.redirects
      .filter(opensFile)
      .flatMap((redirect) =>
        absolute(redirect.target.text).map((path): CommandPath => ({ path, use: useOf(redirect), redirected: true })),
      ),
  ];
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
function fileTexts({ text }: ShellWord): string[] {
  if (text.startsWith('-')) {
    const at = text.search(/[=/~]/);
    return at < 0 ? [] : [text.slice(text[at] === '=' ? at + 1 : at)];
  }
  const equals = text.indexOf('=');
  return equals > 0 ? [text, text.slice(equals + 1)] : [text];
}

function withHome(text: string, { homeDir, projectDir, cwd }: Places): string {
  return text
    .replace(/^~(?=\/|$)/, homeDir)
    .replace(/^\$(?:HOME\b|\{HOME\})/, homeDir)
    .replace(/^\$(?:PWD\b|\{PWD\})/, cwd ?? projectDir);
}
