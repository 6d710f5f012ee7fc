import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { thisWorld, type World } from '../../system/world.ts';
import { tempFolder } from '../../testing/tempFolder.ts';
import { entryPaths } from '../entryCommands.ts';
import { HOST_FEATURES, type SettingsScope } from '../host.ts';
import { holdFiles, removeFiles } from '../wireHost.ts';
import { codexWiring } from './wiring.ts';

async function place() {
  const folder = await tempFolder();
  const at = (...names: string[]) => path.join(folder.path, ...names);
  for (const name of ['home', 'p', 'q']) mkdirSync(at(name));
  const world: World = { ...thisWorld(), cwd: at('p'), homeDir: at('home'), stopgateHome: at('sg'), env: {} };
  const wish = (scope: SettingsScope, cwd = at('p')) => ({
    ...{ scope, features: HOST_FEATURES, paths: entryPaths(), world: { ...world, cwd } },
  });
  const init = async (scope: SettingsScope, cwd?: string) =>
    holdFiles(await codexWiring.files(wish(scope, cwd)), { kind: 'init' }, world);
  const remove = async (scope: SettingsScope, cwd?: string) =>
    removeFiles(await codexWiring.files({ ...wish(scope, cwd), features: [] }), { force: false, dryRun: false }, world);
  return { at, world, init, remove, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

it('is on after init, and off after an edit that moves our hooks, until the next init', async () => {
  await using here = await place();
  const file = here.at('home/.codex/hooks.json');
  await here.init('user');
  expect(await codexWiring.whyOff(here.at('p'), here.world)).toBeNull();
  const hooks = JSON.parse(readFileSync(file, 'utf8'));
  hooks.hooks.Stop.unshift({ hooks: [{ type: 'command', command: 'mine' }] });
  writeFileSync(file, JSON.stringify(hooks));
  const why = await codexWiring.whyOff(here.at('p'), here.world);
  expect(why).toMatch(
    /will skip a hook of Stopgate without a message.*hooks\.json was changed.*`stopgate init --host codex` again/,
  );
  await here.init('user');
  expect(await codexWiring.whyOff(here.at('p'), here.world)).toBeNull();
});

it('keeps the trust of other folders when one of them is removed', async () => {
  await using here = await place();
  mkdirSync(here.at('home/.codex'));
  const config = here.at('home/.codex/config.toml');
  writeFileSync(config, 'model = "x"');
  await here.init('project', here.at('p'));
  await here.init('project', here.at('q'));
  await here.init('user');
  for (const folder of ['p', 'q']) expect(await codexWiring.whyOff(here.at(folder), here.world)).toBeNull();
  await here.remove('project', here.at('p'));
  expect(await codexWiring.whyOff(here.at('q'), here.world)).toBeNull();
  expect(readFileSync(config, 'utf8')).toContain(here.at('q'));
  expect(readFileSync(config, 'utf8')).not.toContain(here.at('p/'));
  await here.remove('project', here.at('q'));
  await here.remove('user');
  expect(readFileSync(config, 'utf8')).toBe('model = "x"');
});

it.each([
  ['[features]\nhooks = false\n', 'user', /switches hooks off/],
  ['', 'project', /is untrusted/],
] as const)('is off where Codex is told so: %j', async (text, scope, words) => {
  await using here = await place();
  mkdirSync(here.at('home/.codex'));
  const untrusted = `[projects.${JSON.stringify(here.at('p'))}]\ntrust_level = "untrusted"\n`;
  writeFileSync(here.at('home/.codex/config.toml'), text || untrusted);
  await here.init(scope);
  expect(await codexWiring.whyOff(here.at('p'), here.world)).toMatch(words);
});

it.each([
  ['[features]\nhooks = false\n', 'trusted', true],
  ['features.hooks = false\n', 'trusted', true],
  ['features = { a = 1, hooks = false }\n', 'trusted', true],
  ['[features]\nhooks = true\n', 'trusted', false],
  // Codex does not read it
  ['[features]\nhooks = false\n', 'untrusted', false],
] as const)("the project's file %j in a folder that is %s: off is %s", async (text, level, isOff) => {
  await using here = await place();
  for (const folder of ['home/.codex', 'p/.codex']) mkdirSync(here.at(folder));
  writeFileSync(
    here.at('home/.codex/config.toml'),
    `[projects.${JSON.stringify(here.at('p'))}]\ntrust_level = "${level}"\n`,
  );
  await here.init('user');
  writeFileSync(here.at('p/.codex/config.toml'), text);
  const why = await codexWiring.whyOff(here.at('p'), here.world);
  if (isOff) expect(why).toContain(`${here.at('p/.codex/config.toml')} switches hooks off`);
  else expect(why).toBeNull();
});
