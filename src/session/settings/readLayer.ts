import { parseRule } from '../../permissions/parseRule.ts';
import { formatJsonPath, type JsonPath, locateJsonPath, parseJson } from '../../schemas/json.ts';
import { type ReadSettings, readSettings, SETTINGS_KEYS, type Settings } from '../../schemas/settings.ts';
import { mistakes } from '../../system/nearestName.ts';
import { CHANGED, type FolderTrust } from '../trust/folderTrust.ts';
import { IDLE_KEYS, SCREEN_KEYS } from './claudeCodeNames.ts';
import type { SettingsFile } from './settingsFiles.ts';
import type { SettingsLayer, SettingsProblem, SettingsSource } from './types.ts';
import type { SkippedSetting } from './untrustedSandbox.ts';
import { withoutDangerousSettings } from './untrustedSettings.ts';

export interface LayerRead {
  readonly layer?: SettingsLayer;
  readonly problems: readonly SettingsProblem[];
}

/** Reads one file: what is broken is reported and left out; what is dangerous waits for trust. */
export function readLayer(from: SettingsFile & { readonly text: string }, trust: FolderTrust): LayerRead {
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
  if (trust.level === 'run' || !isOfProject(source)) {
    return { layer: { source, file, text, settings: read.settings }, problems };
  }
  const { settings, skipped } = trustedPart(read.settings, trust);
  const left = firstOf(skipped, file, ({ path, because, values }) =>
    problemAt({ level: 'skipped', file, text, path, message: leftOut(trust, because, values ?? []) }),
  );
  return { layer: { source, file, text, settings }, problems: [...problems, ...left] };
}

/** With the servers of the file where content is approved: they are approved one by one, when they are started. */
function trustedPart(settings: Settings, trust: FolderTrust) {
  const safe = withoutDangerousSettings(settings, (item) => trust.whyNot(item) === null);
  if (trust.level !== 'content') return safe;
  const { mcpServers, ...others } = settings.other;
  const isLeft = (key: string) => !(key in safe.settings.other) && !WITHOUT_EFFECT.has(key);
  const skipped = Object.keys(others)
    .filter(isLeft)
    .map((key): SkippedSetting => ({ path: [key], because: '' }));
  const other = { ...safe.settings.other, ...(mcpServers !== undefined && { mcpServers }) };
  return { settings: { ...safe.settings, other }, skipped: [...safe.skipped, ...skipped] };
}

const WITHOUT_EFFECT: ReadonlySet<string> = new Set([...SCREEN_KEYS, ...IDLE_KEYS]);

/** The names of variables only: their values can be secrets. */
function leftOut({ level }: FolderTrust, because: string, values: readonly string[]): string {
  if (level !== 'content')
    return `is left out until you trust this project${level === 'path' ? ' again' : ''}: ${because}`;
  const names = values.map((value) => value.replace(/=.*$/s, '').slice(0, 100));
  const which = names.length === 0 ? '' : ` (${names.join(', ')})`;
  return `is left out${which}: ${CHANGED}`;
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
