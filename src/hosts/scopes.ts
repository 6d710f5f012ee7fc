import type { SettingsScope } from './host.ts';

/** For a host without settings of one person in one folder: those of the person, or those of the folder. */
export const userScope = (asked: SettingsScope): SettingsScope => (asked === 'local' ? 'user' : asked);
export const projectScope = (asked: SettingsScope): SettingsScope => (asked === 'local' ? 'project' : asked);

export const userNote = (title: string, what = 'these hooks are'): string =>
  `${title} has no settings for you in this folder alone: ${what} for all your folders, and checks run where a stopgate.config.json is trusted.`;

/** Why a host runs no hooks when a settings file switches all of them off. */
export const whyAllOff = (title: string, file: string | null): string | null =>
  file && `${title} will not run these hooks: disableAllHooks is set in ${file}; remove it there.`;
