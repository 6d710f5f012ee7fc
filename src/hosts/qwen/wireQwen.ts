import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { textIn } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import type { WiredAgent, WiringWish } from '../host.ts';
import { launchPaths } from '../launchPaths.ts';
import { qwenEntries } from './entries.ts';
import { projectSettings, QWEN_SETTINGS, userSettings, whyOff } from './wiring.ts';

const DEFAULTS = 'QWEN_CODE_SYSTEM_DEFAULTS_PATH';

/**
 * It would retry a rate limit for hours, a worker would never hear of it. Without retries of a stream it still tries a request
 * 7 times. A default only: a value in the user's settings counts.
 */
const FEW_RETRIES: SettingEntry = { path: ['model', 'generationConfig', 'maxRetries'], value: 0 };

/**
 * In a file of our own that stands for the system's defaults, which are merged with all other settings: nothing of the project
 * or the user is touched.
 */
export async function wireQwen(wish: WiringWish): Promise<WiredAgent> {
  const { features, folder, world } = wish;
  const all = qwenEntries(features, await launchPaths(wish));
  const texts = [projectSettings(folder), userSettings(world)].map((file) => textIn(file));
  const entries = [...all.filter((entry) => !texts.some((text) => hasEntry(text, entry))), FEW_RETRIES];
  const file = path.join(world.stopgateHome, 'hosts', 'qwen', `${world.ids.uuid()}.json`);
  await writePrivateFile(file, withEntries(systemDefaults(world), entries));
  const off = await whyOff(folder, world);
  const release = async () => {
    await rm(file, { force: true });
    return [];
  };
  return {
    notes: off === null ? [] : [off],
    env: {
      ...world.env,
      [DEFAULTS]: file,
      QWEN_CODE_STOP_HOOK_BLOCK_CAP: world.env.QWEN_CODE_STOP_HOOK_BLOCK_CAP ?? '100',
    },
    release,
    [Symbol.asyncDispose]: async () => void (await release()),
  };
}

/** An `init` has it already, exactly so, and it would run twice. An entry of the repository that only looks like it does not count. */
function hasEntry(text: string, entry: SettingsEntry): boolean {
  const added = QWEN_SETTINGS.add(text, [entry]);
  return added.type === 'edited' && added.text === text;
}

/** Where the machine's own defaults are. */
function systemDefaults({ env }: Pick<World, 'env'>): string {
  const usual =
    process.platform === 'darwin'
      ? '/Library/Application Support/QwenCode/settings.json'
      : '/etc/qwen-code/settings.json';
  return env[DEFAULTS] || path.join(path.dirname(env.QWEN_CODE_SYSTEM_SETTINGS_PATH || usual), 'system-defaults.json');
}

function withEntries(file: string, entries: readonly SettingsEntry[]): string {
  const added = QWEN_SETTINGS.add(textIn(file), entries);
  if (added.type === 'edited') return added.text;
  throw new UserError(
    `${file}:${added.line}:${added.column}: ${added.message}; Qwen Code's defaults must be correct before Stopgate can add its hooks to a copy of them.`,
  );
}
