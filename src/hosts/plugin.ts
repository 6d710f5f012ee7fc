import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { HookEntry } from '../schemas/settingsHold.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { entriesOf } from './entryCommands.ts';
import type { EntryPaths, FilesWish, HostFeature, WiredFile, WiringWish } from './host.ts';
import { launchPaths } from './launchPaths.ts';
import { isHook } from './settings/format.ts';
import { ownFile } from './settings/ownFile.ts';

/** How one host loads a plugin. */
export interface PluginForm {
  readonly host: string;
  /** Its text in `profiles/hosts`. */
  readonly source: string;
  /** The last line: what the host gets, from `HOOKS` and the file's own address. */
  readonly exports: string;
  /** The folder of a scope that the host loads plugins from. */
  folder(scope: 'project' | 'user', world: FilesWish['world']): string;
}

/** The plugin's file in a scope. */
export function pluginIn(form: PluginForm, { scope, features, paths, world }: FilesWish): WiredFile {
  const isProject = scope === 'project';
  return {
    file: path.join(form.folder(isProject ? 'project' : 'user', world), 'stopgate.js'),
    within: isProject ? world.cwd : undefined,
    format: ownFile((entries) => pluginText(form, paths.packageRoot, entries.filter(isHook))),
    entries: pluginEntries(form, features, paths),
  };
}

/**
 * The plugin of a launch, in Stopgate's own home: no file of the project or of the host changes. It is named after its content,
 * so launches share it and it can stay.
 */
export async function pluginOfLaunch(form: PluginForm, wish: WiringWish): Promise<string> {
  const paths = await launchPaths(wish);
  const text = pluginText(form, paths.packageRoot, pluginEntries(form, wish.features, paths));
  const name = hash('sha256', text).slice(0, 16);
  const file = path.join(wish.world.stopgateHome, 'hosts', form.host, `stopgate-${name}.js`);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, text, { mode: 0o600 });
  return file;
}

/** What a plugin of ours starts at its host's events, in Claude Code's names for them. */
const pluginEntries = ({ host }: PluginForm, features: readonly HostFeature[], paths: EntryPaths) =>
  entriesOf({ host, matchers: { changing: 'Bash|Edit|Write', all: '*' }, countdown: ['PostToolUse'] })(features, paths);

const HEADER = `// # stopgate: written by \`stopgate init\`, or by a launch while it runs; \`stopgate remove\` deletes it.
// It asks \`stopgate hook\` at this agent's events, and never changes anything else.`;

/** The whole text of a plugin: one file without imports of ours, since hosts fail when they cannot load one. */
function pluginText(form: PluginForm, packageRoot: string, entries: readonly HookEntry[]): string {
  const part = (name: string) => withoutModule(readFileSync(path.join(packageRoot, 'profiles/hosts', name), 'utf8'));
  const hooks = entries.map(({ event, matcher, command, timeout }) => ({ event, matcher, command, timeout }));
  return [
    HEADER,
    part('gate.js'),
    part(form.source),
    `const HOOKS = ${JSON.stringify(hooks, null, 2)};\n`,
    `${form.exports}\n`,
  ].join('\n');
}

const withoutModule = (text: string): string =>
  text.replaceAll(/^import .* from '\.\/.*';\n+/gm, '').replaceAll(/^export (?=const|function|async)/gm, '');
