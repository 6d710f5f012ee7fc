import type { Settings } from '../../schemas/settings.ts';

export const SETTINGS_SOURCES = ['user', 'project', 'local', 'flag', 'managed'] as const;
/** From the weakest to the strongest: for a single value the last one that has it wins. */
export type SettingsSource = (typeof SETTINGS_SOURCES)[number];

/** The settings of one file (or of `--settings`), without dangerous parts of untrusted ones. */
export interface SettingsLayer {
  readonly source: SettingsSource;
  /** A path, or `--settings` for text given on the command line. */
  readonly file: string;
  readonly settings: Settings;
  /** As read, for line numbers. */
  readonly text: string;
}

/** A problem of a settings file. `message` is a whole sentence that names the file and place. */
export interface SettingsProblem {
  /** `skipped`: left out because the project is not trusted. `error`: the whole file was left out. */
  readonly level: 'error' | 'warning' | 'skipped';
  readonly file: string;
  /** Such as `permissions.allow[2]`; empty for the whole file. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** The raw `hooks` value of one file: entries keep their source, because managed ones outlive `disableAllHooks`. */
export interface HookSource {
  readonly source: SettingsSource;
  readonly file: string;
  readonly hooks: unknown;
  readonly text: string;
}

export type MergedSettings = Omit<Settings, 'hooks'> & {
  /** Every file's hooks, weakest level first; the hook policy decides which may run. */
  readonly hooks: readonly HookSource[];
};

export interface LoadedSettings {
  readonly merged: MergedSettings;
  readonly layers: readonly SettingsLayer[];
  readonly problems: readonly SettingsProblem[];
}
