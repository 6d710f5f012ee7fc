import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { HookEntry } from '../schemas/settingsHold.ts';
import { isHook, type SettingsFormat } from './settings/format.ts';
import { ownFile } from './settings/ownFile.ts';

/** How one host loads a plugin. */
export interface PluginForm {
  /** Its text in `profiles/hosts`. */
  readonly source: string;
  /** The last line: what the host gets, from `HOOKS` and the file's own address. */
  readonly exports: string;
}

const HEADER = `// # stopgate: written by \`stopgate init\`, or by a launch while it runs; \`stopgate remove\` deletes it.
// It asks \`stopgate hook\` at this agent's events, and never changes anything else.`;

/** The whole text of a plugin: one file without imports of ours, since hosts fail when they cannot load one. */
export function pluginText(form: PluginForm, packageRoot: string, entries: readonly HookEntry[]): string {
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

export const pluginFile = (form: PluginForm, packageRoot: string): SettingsFormat =>
  ownFile({ render: (entries) => pluginText(form, packageRoot, entries.filter(isHook)) });

const withoutModule = (text: string): string =>
  text.replaceAll(/^import .* from '\.\/.*';\n+/gm, '').replaceAll(/^export (?=const|function|async)/gm, '');
