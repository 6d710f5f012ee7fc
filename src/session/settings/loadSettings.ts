import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import { type FolderTrust, TRUSTED, UNTRUSTED } from '../trust/folderTrust.ts';
import { mergeSettings } from './mergeSettings.ts';
import { type LayerRead, readLayer } from './readLayer.ts';
import { type SettingsFile, type SettingsPlaces, settingsFiles } from './settingsFiles.ts';
import type { LoadedSettings, SettingsLayer, SettingsProblem } from './types.ts';

export interface LoadSettingsOptions extends SettingsPlaces {
  /** The value of `--settings`: JSON text when it starts with `{`, else a file. */
  readonly flagSettings?: string;
  /** Where a relative `--settings` file starts; the project folder by default. */
  readonly cwd?: string;
  /** How far the project's own files are trusted; what they may do before that is in `untrustedSettings.ts`. */
  readonly trust?: FolderTrust;
}

/** Far above any real file; a generated or wrong one must not be kept in memory. */
const MAX_SETTINGS_BYTES = 1_000_000;

/** Reads and merges every settings file; whatever is broken is a problem with a sentence, never an exception. */
export async function loadSettings(options: LoadSettingsOptions): Promise<LoadedSettings> {
  const { trust = UNTRUSTED } = options;
  const files = await withoutRepeats(await settingsFiles(options));
  const reads = await Promise.all(files.map((file) => readFileLayer(file, trust)));
  const flag = await readFlag(options);
  const all = [...reads, ...(flag ? [flag] : [])];
  const layers = all.flatMap((read): SettingsLayer[] => (read.layer ? [read.layer] : []));
  return { merged: mergeSettings(layers), layers, problems: all.flatMap((read) => read.problems) };
}

/** In the home folder the project's settings file *is* the person's: read once, and trusted. */
async function withoutRepeats(files: readonly SettingsFile[]): Promise<readonly SettingsFile[]> {
  const real = await Promise.all(files.map(({ file }) => realpath(file).catch(() => resolve(file))));
  return files.filter((_, index) => real.indexOf(real[index] ?? '') === index);
}

async function readFileLayer(from: SettingsFile, trust: FolderTrust): Promise<LayerRead> {
  const { file } = from;
  const read = await readTextFile(file, MAX_SETTINGS_BYTES);
  if (read.type === 'missing') return { problems: [] };
  if (read.type === 'unreadable') {
    return { problems: [wholeFile(file, `cannot be read: ${read.message}; check the file or remove it`)] };
  }
  if (read.cut) {
    const limit = `${MAX_SETTINGS_BYTES / 1e6} MB`;
    return { problems: [wholeFile(file, `is larger than ${limit} and is ignored; make it smaller`)] };
  }
  // an empty file is not a mistake: `touch` creates one
  if (read.text.trim() === '') return { problems: [] };
  return readLayer({ ...from, text: read.text }, trust);
}

async function readFlag(options: LoadSettingsOptions): Promise<LayerRead | undefined> {
  const value = options.flagSettings?.trim();
  if (!value) return undefined;
  if (value.startsWith('{')) return readLayer({ source: 'flag', file: '--settings', text: value }, TRUSTED);
  const file = resolve(options.cwd ?? options.projectDir, value);
  const read = await readFileLayer({ source: 'flag', file }, TRUSTED);
  if (read.layer || read.problems.length > 0) return read;
  return { problems: [wholeFile(file, 'was named by --settings but is missing or empty; give a file or JSON text')] };
}

function wholeFile(file: string, message: string): SettingsProblem {
  return { level: 'error', file, path: '', message: `${file} ${message}.` };
}
