import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { findCommands } from '../../permissions/shell/findCommands.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import type { Check } from '../checks/types.ts';
import { namedScript, type PackageScript, scriptsNamed } from './packageScripts.ts';

/** What a check runs, as far as its command and the scripts in it name it. */
export interface RunFiles {
  /** Absolute paths of scripts, links not followed. A script that is named but missing is in it. */
  readonly scripts: readonly string[];
  readonly packageScripts: readonly PackageScript[];
}

const INTERPRETER =
  /^(?:ba|da|z|k|a|fi)?sh$|^(?:node|nodejs|bun|deno|tsx|ts-node|python[\d.]*|pypy3?|ruby|perl|php|lua|Rscript|osascript|pwsh|tclsh)$/;
/** Files that a program runs without being told their names. */
const DEFAULT_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ['GNUmakefile', 'makefile', 'Makefile'],
  gmake: ['GNUmakefile', 'makefile', 'Makefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile', 'rakefile'],
};
const FILE_OPTION = /^(?:-f|--file|--makefile|--justfile|--taskfile|--rakefile|-r|--require|--import|--loader)$/;
const LARGEST_SCRIPT = 1_000_000;
const MOST_FILES = 200;

/** `inside` is the real path of the repository: files elsewhere cannot be put back in place. */
export function findRunFiles(checks: readonly Pick<Check, 'file' | 'args' | 'cwd'>[], inside: string): RunFiles {
  const found: Found = { inside, scripts: new Set(), packageScripts: new Map() };
  for (const { file, args, cwd } of checks) {
    const [option, text] = args;
    if (file === '/bin/sh' && option === '-c' && text !== undefined) readLine(text, [cwd], found);
    else readWords([file, ...args], [cwd], found);
  }
  return { scripts: [...found.scripts], packageScripts: [...found.packageScripts.values()] };
}

interface Found {
  readonly inside: string;
  readonly scripts: Set<string>;
  readonly packageScripts: Map<string, PackageScript>;
}

type Folders = readonly string[];

/** Every command of a line, in the folders that the line works in. */
function readLine(text: string, folders: Folders, found: Found): void {
  const commands = findCommands(text).all.map(({ part }) => part.words.map((word) => word.text));
  const entered = commands.flatMap(([head, folder]) => (head === 'cd' && folder !== undefined ? [folder] : []));
  const all = [...folders, ...entered.flatMap((one) => folders.map((folder) => path.resolve(folder, one)))];
  for (const words of commands) readWords(words, all, found);
}

function readWords(words: readonly string[], folders: Folders, found: Found): void {
  const [head = '', ...rest] = words;
  const name = path.basename(head);
  for (const folder of folders) {
    const script = namedScript(words, folder);
    if (script) addPackageScripts(script, found);
    for (const file of scriptWords(head, name, rest)) addScript(path.resolve(folder, file), found);
    const known = Object.hasOwn(DEFAULT_FILES, name) ? (DEFAULT_FILES[name] ?? []) : [];
    const at = rest.findIndex((word) => word === '-C' || word === '--directory');
    const place = at === -1 ? folder : path.resolve(folder, rest[at + 1] ?? '.');
    for (const file of known) if (isFile(path.join(place, file))) addScript(path.join(place, file), found);
  }
}

/** The words of a command that name a script: itself, the first operand of an interpreter, or the value of an option. */
function scriptWords(head: string, name: string, rest: readonly string[]): readonly string[] {
  const byOption = rest.filter((word, at) => FILE_OPTION.test(rest[at - 1] ?? '') && !word.startsWith('-'));
  const operands = rest.filter((word, at) => !word.startsWith('-') && !FILE_OPTION.test(rest[at - 1] ?? ''));
  if (name === '.' || name === 'source') return operands.slice(0, 1);
  if (INTERPRETER.test(name)) return [...byOption, ...operands.slice(0, rest.includes('--test') ? undefined : 1)];
  return [...(head.includes('/') ? [head] : []), ...(Object.hasOwn(DEFAULT_FILES, name) ? byOption : [])];
}

function addPackageScripts({ file, name }: { readonly file: string; readonly name: string }, found: Found): void {
  if (!isWithin(file, found.inside)) return;
  for (const script of scriptsNamed(file, name)) {
    const key = `${file}\0${script.name}`;
    if (found.packageScripts.has(key) || found.packageScripts.size >= MOST_FILES) continue;
    found.packageScripts.set(key, script);
    readLine(script.text, [path.dirname(file)], found);
  }
}

function addScript(file: string, found: Found): void {
  if (found.scripts.has(file) || found.scripts.size >= MOST_FILES || !isWithin(file, found.inside)) return;
  // a subcommand such as `node test` in a folder without such a file
  if (!isFile(file) && !/\.\w+$/.test(file)) return;
  found.scripts.add(file);
  const read = readTextFileSync(file, LARGEST_SCRIPT);
  if (read.type === 'read' && isShellScript(file, read.text)) readShellScript(read.text, file, found);
}

const isShellScript = (file: string, text: string) =>
  /\.(?:ba|z|k)?sh$/.test(file) || /^#!.*\b(?:ba|da|z|k|a)?sh\b/.test(text);

const SOURCED =
  /(?:^|[;&|({]|\bthen\b|\bdo\b|\belse\b)\s*(?:\.|source|(?:ba|da|z|k)?sh|exec)\s+(?:-\w+\s+)*("[^"\n]*"|'[^'\n]*'|[^\s;&|)]+)/gm;
const STARTED = /(?:^|[;&|({]|\bthen\b|\bdo\b|\belse\b)\s*("\$[^"\n]*"|\.{1,2}\/[^\s;&|)]+)/gm;

/** What a shell script reads in turn, where it names it: `. lib.sh`, `sh ./other.sh`, `"$(dirname "$0")/lib.sh"`. */
function readShellScript(text: string, file: string, found: Found): void {
  const plain = text.replaceAll(/"?\$\(\s*dirname\s+(?:--\s+)?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?\s*\)"?/g, '.');
  for (const pattern of [SOURCED, STARTED]) {
    for (const [, word = ''] of plain.matchAll(pattern)) {
      // a variable usually holds the folder of the script
      const name = word.replaceAll(/["']/g, '').replace(/^\$(?:\{\w+\}|\w+)(?=\/)/, '.');
      if (name === '' || name.includes('$')) continue;
      for (const folder of new Set([path.dirname(file), found.inside])) {
        const target = path.resolve(folder, name);
        if (isFile(target)) addScript(target, found);
      }
    }
  }
}

/** By where it really is; a missing file by its name. */
function isWithin(file: string, top: string): boolean {
  const inside = path.relative(top, realOf(file));
  return inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside) && !inside.startsWith(`.git${path.sep}`);
}

function realOf(file: string): string {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    return file;
  }
}

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
