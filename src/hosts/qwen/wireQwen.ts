import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { SettingEntry, SettingsEntry } from '../../schemas/settingsHold.ts';
import { startHookSeconds, stopHookSeconds } from '../../stop/checks/hookTime.ts';
import { readConfig } from '../../stop/checks/readConfig.ts';
import { writePrivateFile } from '../../system/atomicFile.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';
import type { World } from '../../system/world.ts';
import { entryPaths } from '../entryCommands.ts';
import type { WiredAgent, WiringWish } from '../host.ts';
import { resolveProfile } from '../resolveProfile.ts';
import { qwenEntries } from './entries.ts';
import { projectSettings, QWEN_SETTINGS, userSettings, whyOff } from './wiring.ts';

const LARGEST_BYTES = 1_000_000;
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
export async function wireQwen({ features, profile, folder, world }: WiringWish): Promise<WiredAgent> {
  const hooksDir = await resolveProfile(profile, world);
  const config = await readConfig(folder);
  const checks = config.type === 'config' ? config.done.checks : [];
  const seconds = { stopSeconds: stopHookSeconds(checks), startSeconds: startHookSeconds(checks) };
  const all = qwenEntries(features, { ...entryPaths(), hooksDir, ...seconds });
  const texts = await textsOf([projectSettings(folder), userSettings(world)]);
  const entries = [...all.filter((entry) => !texts.some((text) => hasEntry(text, entry))), FEW_RETRIES];
  const file = path.join(world.stopgateHome, 'hosts', 'qwen', `${world.ids.uuid()}.json`);
  await writePrivateFile(file, await withEntries(systemDefaults(world), entries));
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

async function textsOf(files: readonly string[]): Promise<readonly string[]> {
  const read = await Promise.all(files.map((file) => readTextFile(file, LARGEST_BYTES)));
  return read.flatMap((one) => (one.type === 'read' ? [one.text] : []));
}

/** Where the machine's own defaults are. */
function systemDefaults({ env }: Pick<World, 'env'>): string {
  const usual =
    process.platform === 'darwin'
      ? '/Library/Application Support/QwenCode/settings.json'
      : '/etc/qwen-code/settings.json';
  return env[DEFAULTS] || path.join(path.dirname(env.QWEN_CODE_SYSTEM_SETTINGS_PATH || usual), 'system-defaults.json');
}

async function withEntries(file: string, entries: readonly SettingsEntry[]): Promise<string> {
  const read = await readTextFile(file, LARGEST_BYTES);
  const added = QWEN_SETTINGS.add(read.type === 'read' ? read.text : '', entries);
  if (added.type === 'edited') return added.text;
  throw new UserError(
    `${file}:${added.line}:${added.column}: ${added.message}; Qwen Code's defaults must be correct before Stopgate can add its hooks to a copy of them.`,
  );
}
