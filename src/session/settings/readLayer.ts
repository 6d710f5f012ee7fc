import { parseRule } from '../../permissions/parseRule.ts';
import { formatJsonPath, type JsonPath, locateJsonPath, parseJson } from '../../schemas/json.ts';
import { type ReadSettings, readSettings, SETTINGS_KEYS } from '../../schemas/settings.ts';
import { mistakes } from '../../system/nearestName.ts';
import type { SettingsFile } from './settingsFiles.ts';
import type { SettingsLayer, SettingsProblem, SettingsSource } from './types.ts';
import { withoutDangerousSettings } from './untrustedSettings.ts';

export interface LayerRead {
  readonly layer?: SettingsLayer;
  readonly problems: readonly SettingsProblem[];
}

/** Reads one file: what is broken is reported and left out; what is dangerous waits for trust. */
export function readLayer(from: SettingsFile & { readonly text: string }, trusted: boolean): LayerRead {
  const { source, file, text } = from;
  const json = parseJson(text);
  if (json.type === 'broken') {
    const { line, column } = json;
    const message = `${file}:${line}:${column} is not plain JSON: ${json.message}; the whole file is ignored until it is fixed.`;
    return { problems: [{ level: 'error', file, path: '', line, column, message }] };
  }
  const all = readSettings(json.value, (rule) => parseRule(rule).problem);
  const read = withoutOwnBypass(lockIfUnclear(all, source), source);
  const ignored = read.issues.map(({ path, message }) => ({ path, message: `${message}; it is ignored` }));
  const found = [...ignored, ...read.oddRules, ...mistypedKeys(read)];
  const problems = firstOf(found, file, (issue) => problemAt({ level: 'warning', file, text, ...issue }));
  if (trusted || !isOfProject(source)) {
    return { layer: { source, file, text, settings: read.settings }, problems };
  }
  const safe = withoutDangerousSettings(read.settings);
  const skipped = firstOf(safe.skipped, file, ({ path, because }) =>
    problemAt({ level: 'skipped', file, text, path, message: `is left out until you trust this project: ${because}` }),
  );
  return { layer: { source, file, text, settings: safe.settings }, problems: [...problems, ...skipped] };
}

const isOfProject = (source: SettingsSource) => source === 'project' || source === 'local';

/** More problems than these in one file are only counted. */
const MAX_PROBLEMS = 100;

function firstOf<Item>(
  items: readonly Item[],
  file: string,
  describe: (item: Item) => SettingsProblem,
): readonly SettingsProblem[] {
  const first = items.slice(0, MAX_PROBLEMS).map(describe);
  const more = items.length - first.length;
  if (more === 0) return first;
  return [...first, { level: 'warning', file, path: '', message: `${file}: and ${more} more like these.` }];
}

/** An administrator's lock that cannot be read holds: a typo must not unlock it. */
function lockIfUnclear(read: ReadSettings, source: SettingsSource): ReadSettings {
  const isLock = ({ path }: { path: JsonPath }) => formatJsonPath(path) === 'allowManagedHooksOnly';
  if (source !== 'managed' || !read.issues.some(isLock)) return read;
  return { ...read, settings: { ...read.settings, allowManagedHooksOnly: true } };
}

/**
 * A repository must not disable permissions for itself, trusted or not: a later commit could add this line. Measured:
 * Claude Code ignores it in both project files too.
 */
function withoutOwnBypass(read: ReadSettings, source: SettingsSource): ReadSettings {
  const { defaultMode, ...permissions } = read.settings.permissions;
  if (!isOfProject(source) || defaultMode !== 'bypassPermissions') return read;
  const message =
    'cannot be "bypassPermissions" in a project\'s own file; set it in your user settings or pass --permission-mode';
  return {
    ...read,
    settings: { ...read.settings, permissions },
    issues: [...read.issues, { path: ['permissions', 'defaultMode'], message }],
  };
}

const MAX_COMPARED = 300;

/** Claude Code has many keys that we do not read, but a mistyped known one is a lost deny list. */
function mistypedKeys({ settings }: ReadSettings): { path: JsonPath; message: string }[] {
  // comparing is expensive, and only a person mistypes a key
  const keys = Object.keys(settings.other).slice(0, MAX_COMPARED);
  return keys.flatMap((key) => {
    const meant = SETTINGS_KEYS.find((known) => mistakes(key.toLowerCase(), known.toLowerCase()) <= 2);
    return meant ? [{ path: [key], message: `is not known; did you mean "${meant}"? It has no effect as it is` }] : [];
  });
}

interface Finding extends Pick<SettingsProblem, 'level' | 'file' | 'message'> {
  readonly text: string;
  readonly path: JsonPath;
}

function problemAt({ level, file, text, path, message }: Finding): SettingsProblem {
  const place = locateJsonPath(text, path);
  const written = formatJsonPath(path);
  const where = place ? `${file}:${place.line}` : file;
  const subject = written === '' ? 'the file' : written;
  return { level, file, path: written, ...place, message: `${where}: ${subject} ${message}.` };
}
