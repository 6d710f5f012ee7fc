import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startHookSeconds, stopHookSeconds } from '../stop/checks/hookTime.ts';
import { readConfig } from '../stop/checks/readConfig.ts';
import { writeFileAtomically } from '../system/atomicFile.ts';
import { entryPaths } from './entryCommands.ts';
import type { WiringWish } from './host.ts';
import { pluginEntries } from './pluginEntries.ts';
import { type PluginForm, pluginText } from './pluginFile.ts';
import { resolveProfile } from './resolveProfile.ts';

/**
 * The plugin of a launch, in Stopgate's own home: no file of the project or of the host changes. It is named after its content,
 * so launches share it and it can stay.
 */
export async function pluginOfLaunch(host: string, form: PluginForm, wish: WiringWish): Promise<string> {
  const { features, profile, folder, world } = wish;
  const hooksDir = await resolveProfile(profile, world);
  const config = await readConfig(folder);
  const checks = config.type === 'config' ? config.done.checks : [];
  const seconds = { stopSeconds: stopHookSeconds(checks), startSeconds: startHookSeconds(checks) };
  const paths = { ...entryPaths(), hooksDir, ...seconds };
  const text = pluginText(form, paths.packageRoot, pluginEntries(host, features, paths));
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const file = path.join(world.stopgateHome, 'hosts', host, `stopgate-${name}.js`);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFileAtomically(file, text, { mode: 0o600 });
  return file;
}
