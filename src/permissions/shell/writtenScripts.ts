import { basename } from 'node:path';
import { SHELLS } from './commandWrappers.ts';
import { copyUse } from './copyUse.ts';
import { givenTexts, type ShellPart } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

/** Scripts that a line writes to a file and runs from there: `echo 'rm x' > s; sh s`, `cp /bin/rm y; ./y x`. */
export function writtenScripts(parts: readonly ShellPart[]): string[] {
  return parts.flatMap((part) => [...writtenBy(part, parts), ...copiedBy(part, parts)]);
}

function writtenBy(part: ShellPart, parts: readonly ShellPart[]): string[] {
  const targets = part.redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target.text);
  const name = commandName(part.words[0]?.text ?? '');
  if (name === 'tee') targets.push(...part.words.slice(1).map(({ text }) => text));
  if (!targets.some((file) => parts.some((other) => other !== part && runs(other, file)))) return [];
  const said = name === 'echo' || name === 'printf' ? part.words.slice(1).map(({ text }) => text) : [];
  const texts = [said.join(' '), ...said, ...givenTexts(part)];
  return texts.map((text) => text.replaceAll('\\n', '\n')).filter((text) => text.trim() !== '');
}

function copiedBy({ words: [head, ...words] }: ShellPart, parts: readonly ShellPart[]): string[] {
  const copy = copyUse(commandName(head?.text ?? ''), words);
  if (copy === undefined) return [];
  return copy.sources.flatMap(({ text }) =>
    [copy.target.text, `${copy.target.text}/${basename(text)}`].flatMap((file) =>
      parts
        .filter((part) => isFile(part.words[0]?.text, file))
        .map((part) => [basename(text), ...part.words.slice(1).map((word) => word.raw)].join(' ')),
    ),
  );
}

const plain = (file: string) => file.replace(/^(?:\.\/+)+/, '').replaceAll(/\/+(?:\.\/+)*/g, '/');
const isFile = (text: string | undefined, file: string) => text !== undefined && plain(text) === plain(file);

function runs({ words: [head, ...words] }: ShellPart, file: string): boolean {
  const name = commandName(head?.text ?? '');
  const isShell = SHELLS.has(name) || name === 'source' || name === '.';
  return isFile(head?.text, file) || (isShell && words.some(({ text }) => isFile(text, file)));
}
