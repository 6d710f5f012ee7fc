import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { findCommands } from '../../permissions/shell/findCommands.ts';
import { attempt } from '../../system/attempt.ts';
import { readTextFileSync } from '../../system/readTextFile.ts';
import { implicitScripts, includedFiles } from './implicitScripts.ts';
import { namedScript, type PackageScript, scriptsNamed, workspacesOf } from './packageScripts.ts';
import { runnerFiles } from './runnerFiles.ts';

/** A command as it is started: a check, a hook, or a server. */
export interface StartedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** What commands run, as far as they and the scripts in them name it. */
export interface RunFiles {
  /** Absolute paths of scripts by their real folders, also of a script that is named but missing: it cannot be frozen. */
  readonly scripts: readonly string[];
  readonly packageScripts: readonly PackageScript[];
  /** Files that do not exist, and that would take precedence over one of these if they did. */
  readonly absent: readonly string[];
  /** There are more than are listed. */
  readonly isCut: boolean;
}

interface FoundFiles extends RunFiles {
  /** Files that a runner obeys without being told: they change with honest work, so they are only compared. */
  readonly obeyed: readonly string[];
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
export function findRunFiles(
  commands: readonly StartedCommand[],
  inside: string,
  { modules = false }: { readonly modules?: boolean } = {},
): FoundFiles {
  const found: Found = {
    inside,
    modules,
    scripts: new Set(),
    packageScripts: new Map(),
    absent: new Set(),
    obeyed: new Set(),
  };
  for (const { file, args, cwd } of commands) {
    const text = shellText(file, args);
    if (text !== undefined) readLine(text, [cwd], found);
    else readWords([file, ...args], [cwd], found);
  }
  const { scripts, packageScripts, absent, obeyed } = found;
  const isCut = [scripts, packageScripts, absent].some(({ size }) => size >= MOST_FILES);
  const lists = { scripts: [...scripts], absent: [...absent], obeyed: [...obeyed] };
  return { ...lists, packageScripts: [...packageScripts.values()], isCut };
}

/** The text of `sh -c TEXT`; undefined for another command. */
function shellText(file: string, args: readonly string[]): string | undefined {
  const isShell = /^(?:(?:ba|da|z|k|a)?sh|pwsh)$/.test(path.basename(file));
  return isShell && /^-(?:\w*c|Command)$/.test(args.at(-2) ?? '') ? args.at(-1) : undefined;
}

interface Found {
  readonly inside: string;
  /** Whether modules that a script loads count: those of a check are mostly what it tests. */
  readonly modules: boolean;
  readonly scripts: Set<string>;
  readonly packageScripts: Map<string, PackageScript>;
  readonly absent: Set<string>;
  readonly obeyed: Set<string>;
}

/** Ways to name the root of the project in a command line. */
const ROOT = /"?\$(?:\{?(?:PWD|CLAUDE_PROJECT_DIR)\}?|\(\s*(?:pwd|git rev-parse --show-toplevel)\s*\))"?(?=\/)/g;

type Folders = readonly string[];

/** Every command of a line, in the folders that the line works in. */
function readLine(text: string, folders: Folders, found: Found): void {
  const parts = findCommands(text.replaceAll(ROOT, '.')).all.map(({ part }) => part);
  const commands = parts.map(({ words, redirects }) => {
    // `sh < script` runs it
    const inputs = redirects.flatMap(({ operator, target }) => (operator === '<' ? [target.text] : []));
    return [...words.map((word) => word.text), ...inputs];
  });
  const entered = commands.flatMap(([head, folder]) => (head === 'cd' && folder !== undefined ? [folder] : []));
  const all = [...folders, ...entered.flatMap((one) => folders.map((folder) => path.resolve(folder, one)))];
  for (const words of commands) readWords(words, all, found);
}

function readWords(words: readonly string[], folders: Folders, found: Found): void {
  const [head = '', ...rest] = words;
  const name = path.basename(head);
  // `npx c8 node test.js`
  const inner = rest.findIndex((word) => INTERPRETER.test(path.basename(word)));
  if (inner !== -1 && !INTERPRETER.test(name)) readWords(rest.slice(inner), folders, found);
  for (const folder of folders) {
    for (const file of runnerFiles(words, folder)) if (found.obeyed.size < MOST_FILES) found.obeyed.add(file);
    const script = namedScript(words, folder);
    if (script) addPackageScripts(script, folder, found);
    for (const file of scriptWords(head, name, rest, folder)) addScript(path.resolve(folder, file), found);
    for (const candidates of implicitScripts(name, rest, folder)) {
      const there = candidates.find(isFile);
      if (there !== undefined) addScript(there, found);
    }
    if (Object.hasOwn(DEFAULT_FILES, name)) addDefaultFiles(DEFAULT_FILES[name] ?? [], workFolder(rest, folder), found);
  }
}

/** The folder of `make -C DIR`, `-CDIR` or `--directory=DIR`. */
function workFolder(rest: readonly string[], folder: string): string {
  const at = rest.findIndex((word) => word === '-C' || word === '--directory');
  const attached = rest.flatMap((word) => /^(?:-C|--directory=)(.+)$/.exec(word)?.[1] ?? []);
  return path.resolve(folder, attached[0] ?? (at === -1 ? '.' : (rest[at + 1] ?? '.')));
}

/** The first of these names that exists is used, so the others must not appear. */
function addDefaultFiles(names: readonly string[], folder: string, found: Found): void {
  for (const file of names.map((name) => path.join(folder, name))) {
    if (isFile(file)) addScript(file, found);
    else addAbsent(file, found);
  }
}

function addAbsent(file: string, found: Found): void {
  if (found.absent.size < MOST_FILES && isWithin(file, found.inside)) found.absent.add(file);
}

/** The words of a command that name a script: itself, what an interpreter is given, or the value of an option. */
function scriptWords(head: string, name: string, rest: readonly string[], folder: string): readonly string[] {
  const byOption = rest.flatMap((word, at) => {
    const attached = /^(?:-f|--(?:file|makefile|justfile|taskfile|rakefile|require|import|loader)=)(.+)$/.exec(
      word,
    )?.[1];
    return FILE_OPTION.test(rest[at - 1] ?? '') && !word.startsWith('-') ? [word] : (attached ?? []);
  });
  const operands = rest.filter((word, at) => !word.startsWith('-') && !FILE_OPTION.test(rest[at - 1] ?? ''));
  if (name === '.' || name === 'source') return operands.slice(0, 1);
  if (!INTERPRETER.test(name)) {
    return [...(head.includes('/') ? [head] : []), ...(Object.hasOwn(DEFAULT_FILES, name) ? byOption : [])];
  }
  if (rest.includes('--test')) return [...byOption, ...operands];
  // `bash -o pipefail script`: words before the script may be values of options
  const isThere = (word: string) => isFile(path.resolve(folder, word));
  const script = operands.findIndex((word) => isThere(word) && !rest[rest.indexOf(word) - 1]?.startsWith('--'));
  return [...byOption, ...(script === -1 ? operands.slice(0, 1) : operands.slice(0, script + 1).filter(isThere))];
}

/** Files beside a package.json that change how its scripts run. */
const PACKAGE_SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', 'pnpm-workspace.yaml', 'bunfig.toml'];

function addPackageScripts(
  { file, name }: { readonly file: string; readonly name: string },
  from: string,
  found: Found,
): void {
  if (!isWithin(file, found.inside)) return;
  addDefaultFiles(PACKAGE_SETTINGS, path.dirname(file), found);
  // a package.json nearer to the command would be used instead
  for (let at = from; at !== path.dirname(file) && isWithin(path.join(at, 'x'), found.inside); at = path.dirname(at)) {
    addAbsent(path.join(at, 'package.json'), found);
  }
  for (const script of [file, ...workspacesOf(file)].flatMap((one) => scriptsNamed(one, name))) {
    const key = `${script.file}\0${script.name}`;
    if (found.packageScripts.has(key) || found.packageScripts.size >= MOST_FILES) continue;
    found.packageScripts.set(key, script);
    readLine(script.text, [path.dirname(script.file)], found);
  }
}

function addScript(named: string, found: Found): void {
  // by the real folder: the project, or a folder in it, may be reached by a link
  const file = realFolderOf(named);
  // and by the link in the project that leads there, which can be changed too
  const isLinked = file !== named && !path.relative(found.inside, named).startsWith('..');
  if (isLinked && found.scripts.size < MOST_FILES && isWithin(file, found.inside)) found.scripts.add(named);
  if (found.scripts.has(file) || found.scripts.size >= MOST_FILES || !isWithin(file, found.inside)) return;
  // a subcommand such as `node test` in a folder without such a file
  if (!isFile(file) && !/\.\w+$/.test(file)) return;
  found.scripts.add(file);
  const read = readTextFileSync(file, LARGEST_SCRIPT);
  if (read.type !== 'read') return;
  const name = path.basename(file);
  const isRecipes = Object.values(DEFAULT_FILES).flat().includes(name) || /\.mk$/.test(name);
  // recipes are lines of shell behind a tab, `@` and `-`
  if (isRecipes) for (const one of includedFiles(read.text, file)) addScript(one, found);
  if (isRecipes) readShellScript(read.text.replaceAll(/^[\t ]*[@-]+/gm, '\t'), file, found);
  else if (isShellScript(file, read.text)) readShellScript(read.text, file, found);
  else if (found.modules) addModules(read.text, file, found);
}

/** Modules beside the script that it loads, and those that would be loaded instead if they existed. */
function addModules(text: string, file: string, found: Found): void {
  for (const candidates of localModules(text, file)) {
    const there = candidates.findIndex(isFile);
    for (const [at, candidate] of candidates.entries()) {
      if (at === there) addScript(candidate, found);
      else if (there === -1 || at < there) addAbsent(candidate, found);
    }
  }
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
        else if (pattern === SOURCED && name.includes('/')) addAbsent(target, found);
      }
    }
  }
}

/** By where it really is; a missing file by its name. */
function isWithin(file: string, top: string): boolean {
  const inside = path.relative(top, realFolderOf(file));
  return inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside) && !inside.startsWith(`.git${path.sep}`);
}

const realFolderOf = (file: string): string =>
  attempt(() => path.join(realpathSync(path.dirname(file)), path.basename(file)), file);

const isFile = (file: string) => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;

const SCRIPT = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.{1,2}\/[^"'\n]+)["']/g;
const SCRIPT_ENDINGS = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];
const PYTHON = /^[ \t]*(?:from[ \t]+\.?([A-Za-z_][\w.]*)[ \t]+import\b|import[ \t]+([A-Za-z_][\w., \t]*))/gm;

/** Modules of the same project that a script loads by name: for each the files that it can be, the preferred one first. */
function localModules(text: string, file: string): readonly (readonly string[])[] {
  const folder = path.dirname(file);
  const isOf = (ending: RegExp, program: RegExp) => ending.test(file) || program.test(text.slice(0, 200));
  if (isOf(/\.[cm]?[jt]sx?$/, /^#!.*\b(?:node|bun|deno|tsx)\b/)) {
    return [...text.matchAll(SCRIPT)].map(([, name = '']) => scriptFiles(path.resolve(folder, name)));
  }
  if (!isOf(/\.py$/, /^#!.*\bpython/)) return [];
  const names = [...text.matchAll(PYTHON)].flatMap(([, from, all = '']) => from ?? all.split(/[\s,]+/));
  const plain = new Set(names.filter((name) => /^[A-Za-z_][\w.]*$/.test(name) && name !== 'as'));
  return [...plain].map((name) => {
    const place = path.join(folder, ...name.split('.'));
    return [path.join(place, '__init__.py'), `${place}.py`];
  });
}

/** A name with an ending is that file; TypeScript names `x.ts` by `x.js`. */
function scriptFiles(target: string): readonly string[] {
  if (!/\.(?:[cm]?[jt]sx?|json)$/.test(target)) return [target, ...SCRIPT_ENDINGS.map((ending) => target + ending)];
  return [target, ...(/\.[cm]?jsx?$/.test(target) ? [target.replace(/js(x?)$/, 'ts$1')] : [])];
}
