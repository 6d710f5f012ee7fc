import { globSync } from 'node:fs';
import path from 'node:path';
import { isObject, jsonValue } from '../../schemas/jsonValue.ts';
import { readTextFileSync, textIn } from '../../system/readTextFile.ts';

/** A script of a package.json that a command runs. */
export interface PackageScript {
  /** The package.json, as an absolute path. */
  readonly file: string;
  readonly name: string;
  readonly text: string;
}

const MANAGERS: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Verbs that are also names of scripts. */
const SHORT = new Set(['test', 'start', 'stop', 'restart', 't', 'tst']);
const LARGEST_BYTES = 1_000_000;

/** The package.json and the script that a command line such as `npm run lint` names; undefined for any other. */
export function namedScript(words: readonly string[], folder: string): { file: string; name: string } | undefined {
  const [manager = '', ...rest] = words;
  if (!MANAGERS.has(path.basename(manager))) return undefined;
  const at = rest.findIndex((word) => /^(?:-C|--prefix|--dir|--cwd)$/.test(word));
  const attached = rest.flatMap((word) => /^--(?:prefix|dir|cwd)=(.+)$/.exec(word)?.[1] ?? []);
  const place = path.resolve(folder, attached[0] ?? (at === -1 ? '.' : (rest[at + 1] ?? '.')));
  const operands = rest.filter((word, index) => !word.startsWith('-') && (at === -1 || index !== at + 1));
  const [verb = '', name] = operands;
  const isRun = verb === 'run' || verb === 'run-script';
  const script = isRun ? name : SHORT.has(verb) || path.basename(manager) !== 'npm' ? verb : undefined;
  const file = script === undefined ? undefined : nearestPackage(place);
  return script === undefined || file === undefined ? undefined : { file, name: script.replace(/^ts?t?$/, 'test') };
}

/** A package manager looks in the folders above, too. */
function nearestPackage(folder: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const file = path.join(at, 'package.json');
    if (readTextFileSync(file, 1).type === 'read') return file;
    if (path.dirname(at) === at) return undefined;
  }
}

/** The package.json files of the workspaces that a package.json lists. */
export function workspacesOf(file: string): readonly string[] {
  const listed = readPackage(file).workspaces;
  const globs = isObject(listed) ? listed.packages : listed;
  const patterns = (Array.isArray(globs) ? globs : []).filter((one) => typeof one === 'string' && !one.startsWith('!'));
  try {
    const found = globSync(
      patterns.map((one) => path.join(one, 'package.json')),
      { cwd: path.dirname(file) },
    );
    return found.slice(0, MOST_WORKSPACES).map((one) => path.resolve(path.dirname(file), one));
  } catch {
    return [];
  }
}

const MOST_WORKSPACES = 100;

/** A script with those that run before and after it. */
export function scriptsNamed(file: string, name: string): readonly PackageScript[] {
  const scripts = scriptsIn(file);
  return [`pre${name}`, name, `post${name}`].flatMap((one) => {
    const text = Object.hasOwn(scripts, one) ? scripts[one] : undefined;
    return typeof text === 'string' ? [{ file, name: one, text }] : [];
  });
}

/** Of a file that is missing or cannot be read: none. */
export function scriptsIn(file: string): Readonly<Record<string, unknown>> {
  const { scripts } = readPackage(file);
  return isObject(scripts) ? scripts : {};
}

function readPackage(file: string): Readonly<Record<string, unknown>> {
  const value = jsonValue(textIn(file, LARGEST_BYTES));
  return isObject(value) ? value : {};
}

/** The names of scripts that are not as they were: a new `pretest` runs before `test` as well. */
export function changedScripts(file: string, frozen: readonly PackageScript[]): readonly string[] {
  const now = scriptsIn(file);
  const around = frozen.flatMap(({ name }) => (/^(?:pre|post)/.test(name) ? [] : [`pre${name}`, `post${name}`]));
  const names = [...new Set([...frozen.map(({ name }) => name), ...around])];
  return names.filter((name) => now[name] !== frozen.find((one) => one.name === name)?.text);
}

/** The text of a package.json with these scripts, and without other hooks around them. */
export function withScripts(text: string, scripts: readonly PackageScript[]): string {
  const value = jsonValue(text);
  const found = isObject(value) ? value : {};
  const now = isObject(found.scripts) ? found.scripts : {};
  const names = new Set(scripts.flatMap(({ name }) => [`pre${name}`, name, `post${name}`]));
  const others = Object.entries(now).filter(([name]) => !names.has(name));
  const frozen = scripts.map(({ name, text }) => [name, text] as const);
  return `${JSON.stringify({ ...found, scripts: Object.fromEntries([...others, ...frozen]) }, null, 2)}\n`;
}
