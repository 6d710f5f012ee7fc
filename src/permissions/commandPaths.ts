import { basename, join } from 'node:path';
import { type Places, pathLookup } from './pathLookup.ts';
import { type CopyUse, copyUse } from './shell/copyUse.ts';
import { expandGlobs } from './shell/expandGlobs.ts';
import { fileTexts, textOperand } from './shell/fileTexts.ts';
import type { FoundCommand } from './shell/findCommands.ts';
import { operandUse } from './shell/operandUse.ts';
import { namesIn } from './shell/sameRow.ts';
import { patternOf, plainWord, type ShellPart, type ShellRedirect, type ShellWord } from './shell/shellTypes.ts';
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
export const SPEAKERS = namesIn('echo printf : true false expr seq sleep');
/** A line that goes to more folders than these may be anywhere. */
const MAX_FOLDERS = 20;

/** `cd a && …`: the rest of the line runs in that folder or not at all, as long as no `;` or `||` follows. */
const ONLY_THERE = /^\s*cd +[\w./@+][\w./@+-]* *&&(?!.*(?:[;\n]|\|\||(?<![&>])&(?![&>\d])))/s;

/** To where the shell was before. */
const GOES_BACK = /\bcd +-|popd|OLDPWD|~[-+\d]/;

/** Folders from which relative words may start: where the shell stands, and wherever it goes with `cd`. */
export function startingFolders(
  { text, all }: { readonly text: string; readonly all: readonly FoundCommand[] },
  places: Places,
): readonly string[] {
  const start = pathLookup(places).places(places.cwd ?? places.projectDir, '.');
  const went = new Set<string>();
  let last: readonly string[] = start;
  for (const { part } of all) {
    const target = folderOf(part.words);
    if (target === undefined) continue;
    last = [...new Set(pathsOf(target, patternOf(target), { folders: last, places }).map(({ path }) => path))];
    for (const folder of last) went.add(went.size < MAX_FOLDERS ? folder : '/');
    last = last.slice(0, 6);
  }
  const hasLeft = went.size > 0 && ONLY_THERE.test(text) && !GOES_BACK.test(text);
  return [...new Set([...(hasLeft ? [] : start), ...went])];
}

/** Programs that can be started in another folder than the shell's. */
const STARTED_ELSEWHERE = namesIn('env sudo doas git make gmake tar gtar bsdtar ninja npm pnpm yarn');

function folderOf([head, ...words]: readonly ShellWord[]): ShellWord | undefined {
  const name = commandName(head?.text ?? '');
  if (name === 'cd' || name === 'pushd') {
    const target = words.find(({ text }) => !text.startsWith('-'));
    return target ?? (name === 'cd' && !words.some(({ text }) => text === '-') ? plainWord('~') : undefined);
  }
  if (!STARTED_ELSEWHERE.has(name)) return undefined;
  const at = words.findIndex(({ text }) => /^(?:-C|-D|--(?:chdir|directory|cwd|prefix|dir))(?:=|$)/.test(text));
  const [, value] = /^--\w+=(.*)$/s.exec(words[at]?.text ?? '') ?? [];
  if (value !== undefined) return plainWord(value);
  return at < 0 ? undefined : words[at + 1];
}

/** Every word and redirection that may be a file, as absolute paths; best effort, since any word may be one. */
export function commandPaths(part: ShellPart, folders: readonly string[], places: Places): readonly CommandPath[] {
  const [head, ...given] = part.words;
  const name = commandName(head?.text ?? '');
  const text = textOperand(name, given);
  const words = text === undefined ? given : given.filter((word) => word !== text);
  const use = operandUse(part.words);
  // A line may say the same word thousands of times.
  const distinct = new Map(words.map((word) => [`${word.raw} ${word.text}`, word])).values().toArray();
  const named = SPEAKERS.has(name) ? [] : distinct;
  const from = { folders, places };
  const copy = copyUse(name, words);
  const useOfWord = (word: ShellWord) => (copy?.sources.includes(word) && copy.keepsSources ? 'read' : use);
  return [
    ...named.flatMap((word) =>
      fileTexts(word, name).flatMap((text) =>
        pathsOf(word, text, from).map((path): CommandPath => ({ ...path, use: useOfWord(word), redirected: false })),
      ),
    ),
    ...(copy ? copiedTo(copy, from) : []),
    ...part.redirects.filter(opensFile).flatMap((redirect) => {
      const use = redirect.operator === '<>' ? 'either' : useOf(redirect);
      const paths = pathsOf(redirect.target, patternOf(redirect.target), from);
      return paths.map((path): CommandPath => ({ ...path, use, redirected: true }));
    }),
  ];
}

/** `cp ../x/.env .` writes `./.env`. */
function copiedTo({ sources, target }: CopyUse, from: From): CommandPath[] {
  const names = sources.flatMap((word) =>
    word.globs
      ? pathsOf(word, patternOf(word), from).map(({ path }) => basename(path))
      : [basename(word.text.slice(word.text.lastIndexOf(':') + 1))],
  );
  const folders = pathsOf(target, patternOf(target), from);
  return [...new Set(names)]
    .slice(0, MAX_COPIED)
    .filter((name) => name !== '' && name !== '.' && name !== '..')
    .flatMap((name) =>
      folders.map(({ path }): CommandPath => ({ path: join(path, name), use: 'write', redirected: false })),
    );
}
const MAX_COPIED = 200;

interface From {
  readonly folders: readonly string[];
  readonly places: Places;
}

/** What a word, or a part of it, may name, by name and with links followed: what holds for either holds for the word. */
function pathsOf(
  { globs, wide = false }: ShellWord,
  text: string,
  { folders, places }: From,
): Pick<CommandPath, 'path' | 'any'>[] {
  const lookup = pathLookup(places);
  const plain = withHome(text, places);
  return folders.flatMap((folder) => {
    const texts = globs ? expandGlobs(plain, folder, lookup.names, { wide }) : [plain];
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

function withHome(text: string, { homeDir, projectDir, cwd }: Places): string {
  return (
    text
      .replace(/^~(?=\/|$)/, homeDir)
      .replace(/^\$(?:HOME\b|\{HOME\})/, homeDir)
      .replace(/^(?:\$(?:PWD\b|\{PWD\}|\(pwd\))|`pwd`)/, cwd ?? projectDir)
      // the folder of a process, and the root that it sees
      .replace(/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?cwd(?=\/|$)/, '.')
      .replace(/^\/proc\/[^/]+\/(?:task\/[^/]+\/)?root(?=\/|$)/, '/')
  );
}
