import { definedOnly } from '../../system/definedOnly.ts';
import type { FilesWish, HostWiring, WiredFile } from '../host.ts';
import { userNote, userScope } from '../scopes.ts';
import { textOf } from '../settings/fileState.ts';
import { holdSettings } from '../settings/holdSettings.ts';
import { jsonHooks } from '../settings/jsonHooks.ts';
import { codexEntries } from './entries.ts';
import { ourHooks } from './hookTrust.ts';
import { configFile, hooksFile, namesOf } from './places.ts';
import { trustTables } from './trustTables.ts';
import { whyCodexHooksAreOff } from './whyHooksAreOff.ts';

const CODEX_HOOKS = jsonHooks({
  hook: ({ command, timeout, statusMessage }) => definedOnly({ type: 'command', command, timeout, statusMessage }),
  comments: 'Codex reads no hooks of a file that is not plain JSON',
});

export const codexWiring: HostWiring = {
  files: codexFiles,
  scope: userScope,
  whyOff: whyCodexHooksAreOff,
  notes: async ({ scope, asked }) => [
    ...(asked === 'user' ? [] : [scope === 'project' ? PROJECT_NOTE : userNote('Codex')]),
    TRUST_NOTE,
  ],
};

const PROJECT_NOTE =
  'Codex trusts hooks for one person at a time: others who work in this folder run `stopgate init --host codex --scope project` too.';
const TRUST_NOTE =
  'Codex skips hooks that changed since they were trusted, without a message: run `stopgate init --host codex` again after you add or remove a hook before ours in hooks.json.';

/** The hooks, and the trust in them: it depends on their place in the file as it will be. */
async function codexFiles({ scope, features, paths, world }: FilesWish): Promise<readonly WiredFile[]> {
  const file = hooksFile(scope, world);
  const entries = codexEntries(features, paths);
  const hooks = { file, within: scope === 'project' ? world.cwd : undefined, format: CODEX_HOOKS, entries };
  const held = entries.length === 0 ? null : await holdSettings({ ...hooks, kind: 'init', dryRun: true }, world);
  const text = held?.type === 'held' ? (textOf(held.after) ?? '') : '';
  const commands = new Set(entries.map(({ command }) => command));
  const trust = (await namesOf(file)).flatMap((name) => ourHooks(text, name, commands));
  return [
    hooks,
    {
      file: configFile(world),
      format: trustTables,
      part: file,
      entries: trust.map(({ key, hash }) => ({ key, text: hash })),
    },
  ];
}
