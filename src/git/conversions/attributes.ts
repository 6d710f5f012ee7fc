import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Git, outputOf } from '../git.ts';
import { oneLine } from '../workTree.ts';
import type { Conversion } from './checkedOut.ts';

type Attributes = ReadonlyMap<string, string>;

export interface LineEndSettings {
  readonly autocrlf: string;
  readonly eol: string;
}

/** What converts a file: git alone, or a program of the user's configuration. */
export type FileConversion =
  | ({ readonly type: 'git' } & Conversion)
  /** A filter, or another encoding: only a checkout shows what it writes. */
  | { readonly type: 'other'; readonly filter: string | undefined };

/** By a file's attributes and git's settings; undefined: its bytes are stored as they are. */
export function conversionOf(attributes: Attributes, settings: LineEndSettings): FileConversion | undefined {
  const value = (name: string) => attributes.get(name);
  const filter = named(value('filter'));
  if (filter !== undefined || named(value('working-tree-encoding')) !== undefined) return { type: 'other', filter };
  const ident = value('ident') === 'set';
  const text = textOf(attributes, settings);
  if (text === 'no' && !ident) return undefined;
  return { type: 'git', text, eol: eolOf(attributes, settings), ident };
}

const named = (value: string | undefined) =>
  value === undefined || ['set', 'unset', 'unspecified'].includes(value) ? undefined : value;

function textOf(attributes: Attributes, { autocrlf }: LineEndSettings): Conversion['text'] {
  const text = attributes.get('text') ?? attributes.get('crlf');
  if (text === 'unset') return 'no';
  if (text === 'set' || text === 'input') return 'yes';
  if (text === 'auto') return 'auto';
  // a line end alone makes it text
  if (attributes.has('eol')) return 'yes';
  return autocrlf === 'true' || autocrlf === 'input' ? 'auto' : 'no';
}

function eolOf(attributes: Attributes, { autocrlf, eol }: LineEndSettings): Conversion['eol'] {
  const own = attributes.get('eol');
  if (own === 'lf' || own === 'crlf') return own;
  if ((attributes.get('text') ?? attributes.get('crlf')) === 'input' || autocrlf === 'input') return 'lf';
  return autocrlf === 'true' || eol === 'crlf' ? 'crlf' : 'lf';
}

export async function lineEndSettings(git: Git, folder: string): Promise<LineEndSettings> {
  const read = async (key: string) => (await oneLine(git, folder, ['config', '--get', key])) ?? '';
  const [autocrlf, eol] = await Promise.all([read('core.autocrlf'), read('core.eol')]);
  const isTrue = /^(true|yes|on|1)$/i.test(autocrlf);
  return { autocrlf: isTrue ? 'true' : autocrlf.toLowerCase(), eol: eol.toLowerCase() };
}

/** Most repositories have no attributes, and their files need not be read. */
export async function hasAttributes(git: Git, folder: string, changed: ReadonlySet<string>): Promise<boolean> {
  if ([...changed].some((path) => /(^|\/)\.gitattributes"?$/.test(path))) return true;
  const [tracked, own, info] = await Promise.all([
    oneLine(git, folder, ['ls-files', '--cached', '--', ':(glob)**/.gitattributes']),
    oneLine(git, folder, ['config', '--type=path', '--get', 'core.attributesFile']),
    oneLine(git, folder, ['rev-parse', '--git-path', 'info/attributes']),
  ]);
  if (tracked !== undefined || own !== undefined) return true;
  const places = [resolve(folder, info ?? '.git/info/attributes'), userFile(), '/etc/gitattributes'];
  const found = await Promise.all(places.map((place) => stat(place).catch(() => undefined)));
  return found.some((entry) => entry !== undefined && entry.size > 0);
}

const userFile = () =>
  join(process.env.XDG_CONFIG_HOME || join(process.env.HOME ?? homedir(), '.config'), 'git/attributes');

/** By quoted path; files without attributes are not included. */
export async function attributesOf(
  git: Git,
  folder: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Attributes>> {
  const known = new Set(paths);
  const found = new Map<string, Map<string, string>>();
  const onLine = (line: string) => {
    const [, path = '', name = '', value = ''] = /^(.*): ([^\s:]+): (.*?)$/.exec(line) ?? [];
    if (!known.has(path)) return;
    const attributes = found.get(path) ?? new Map<string, string>();
    found.set(path, attributes.set(name, value));
  };
  await outputOf(git, { folder, args: ['check-attr', '--stdin', '--all'], input: paths, onLine });
  return found;
}
