import path from 'node:path';
import { valueAt } from '../../schemas/jsonValue.ts';
import { commentedSettings } from '../commentedSettings.ts';
import type { HostPlaces } from '../host.ts';

/** Where the user's own settings are. */
const geminiHome = ({ homeDir, env }: HostPlaces): string => path.join(env.GEMINI_CLI_HOME || homeDir, '.gemini');

export const userSettings = (places: HostPlaces): string => path.join(geminiHome(places), 'settings.json');
export const projectSettings = (folder: string): string => path.join(folder, '.gemini', 'settings.json');

/** A setting in the user's or the project's file; the project's wins. */
export function setting(folder: string, places: HostPlaces, ...names: readonly string[]): unknown {
  const of = (file: string) => valueAt(commentedSettings(file), names);
  return of(projectSettings(folder)) ?? of(userSettings(places));
}

/** Whether Gemini CLI trusts a folder: in one that it does not, project settings do not count and headless runs end. */
export function isTrusted(folder: string, places: HostPlaces): boolean {
  const { env } = places;
  if (env.GEMINI_CLI_TRUST_WORKSPACE === 'true') return true;
  // only the user's own file can switch this off
  if (valueAt(commentedSettings(userSettings(places)), ['security', 'folderTrust', 'enabled']) === false) return true;
  const file = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || path.join(geminiHome(places), 'trustedFolders.json');
  const rules = Object.entries(commentedSettings(file)).map(([at, level]) => ({
    at: level === 'TRUST_PARENT' ? path.dirname(at) : at,
    trusts: level !== 'DO_NOT_TRUST',
  }));
  const inside = (at: string) => folder === at || folder.startsWith(at.endsWith('/') ? at : `${at}/`);
  const [closest] = rules.filter(({ at }) => inside(at)).toSorted((one, other) => other.at.length - one.at.length);
  return closest?.trusts === true;
}
