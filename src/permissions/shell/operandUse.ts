import { ownValue } from '../../system/ownValue.ts';
import { writtenBesides } from './programWrites.ts';
import { isReadOnlyWords } from './readOnlyCommand.ts';
import { namesIn, sameRow } from './sameRow.ts';
import type { ShellWord } from './shellTypes.ts';
import { commandName } from './unwrapCommand.ts';

const WRITERS = namesIn(
  'rm rmdir unlink shred mv cp ln tee touch mkdir truncate dd install chmod chown chgrp rsync patch ed ex sponge',
);
/** Programs that write the files they are given only with an option. */
const IN_PLACE: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*i|--in-place)/,
  ...sameRow('perl ruby', /^-[a-zA-Z]*i/),
  yq: /^(?:-[a-zA-Z]*i|--inplace|--in-place)$/,
  eslint: /^(?:--fix|-o|--output-file)/,
  prettier: /^(?:-w|--write)$/,
  ruff: /^(?:--fix|format)$/,
  biome: /^(?:--write|--apply|--fix|format)/,
  ...sameRow('docker podman', /^cp$/),
  tsc: /^--(?:out|declarationDir|tsBuildInfo)/i,
  black: /^(?!--check|--diff)/,
  gofmt: /^-w$/,
  ...sameRow('awk gawk', /^(?:-[iopd]|--(?:include|pretty|profile|dump))/),
};
/** Programs that open what they are given to read it, as far as their words tell: they run it, test it, send it. */
const READERS = namesIn(
  'node nodejs python python3 bash sh zsh dash php lua deno bun tsx ts-node java npm npx yarn pnpm vitest jest mocha ava pytest ' +
    'tox tsc mypy pyright cargo go make less more bat diff sort uniq source . cd pushd export test [ [[ xargs env sudo timeout nice nohup time ' +
    'command find fd rg grep egrep fgrep jq wc cat head tail ls stat file du tree strings od xxd hexdump md5sum sha256sum awk gawk sed perl ruby yq eslint prettier ruff biome black gofmt docker gh scp ssh',
);
/** Commands of git that leave the files in the working folder as they are. */
const GIT_READERS = namesIn(
  'add commit status log diff show blame annotate grep ls-files ls-tree cat-file rev-parse rev-list shortlog describe branch tag stage hash-object check-ignore check-attr diff-files diff-index diff-tree',
);

/** What a command does with the files that its words name; `either` when that is not known. */
export function operandUse(words: readonly ShellWord[]): 'write' | 'read' | 'either' {
  const [head, ...args] = words;
  const name = commandName(head?.text ?? '');
  if (WRITERS.has(name)) return 'write';
  const option = ownValue(IN_PLACE, name);
  if (option && args.some(({ text }) => option.test(text))) return 'write';
  if (writtenBesides(name, args).length > 0) return 'either';
  if (name === 'git')
    return GIT_READERS.has(args.find(({ text }) => !text.startsWith('-'))?.text ?? '') ? 'read' : 'either';
  return READERS.has(name) || isReadOnlyWords(words) ? 'read' : 'either';
}
