import { NO_PERMISSIONS, NO_SETTINGS, type PermissionSettings, type Settings } from '../../schemas/settings.ts';
import { settingItem, type TrustItem } from '../trust/trustItem.ts';
import { narrowedSandbox, type SkippedSetting } from './untrustedSandbox.ts';

/**
 * What a repository's own settings may do before its owner is trusted. Files under `<project>/.claude` come with a
 * clone, `settings.local.json` included, so they may tighten what the person chose and never loosen it. A key added to
 * `Settings` does not compile without a row here.
 */
type Row<Value> = 'holds' | { readonly because: string; readonly holdsIf?: (value: Value) => boolean };

type Table<Fields> = { readonly [Key in keyof Required<Fields>]: Row<NonNullable<Fields[Key]>> };

const isEmpty = (list: readonly string[]) => list.length === 0;

const KEYS: Table<Omit<Settings, 'permissions' | 'sandbox' | 'other'>> = {
  // checked entry by entry by the hook policy
  hooks: 'holds',
  env: { because: 'a variable such as PATH or NODE_OPTIONS can run code or redirect requests' },
  apiKeyHelper: { because: 'it is a command that would be run' },
  // a model can be a URL or a scripted file
  model: { because: 'it chooses who receives the conversation and what it costs' },
  disableAllHooks: { because: 'it would switch your own hooks off, or on again' },
  allowManagedHooksOnly: { because: 'only managed settings may lock hooks' },
  allowedHttpHookUrls: {
    holdsIf: isEmpty,
    because: 'lists are joined, so it would widen where hooks may send data',
  },
  httpHookAllowedEnvVars: { holdsIf: isEmpty, because: 'lists are joined, so it would widen what hooks may send' },
  cleanupPeriodDays: { because: 'it can have your transcripts deleted early' },
  includeCoAuthoredBy: 'holds',
  autoCompactEnabled: 'holds',
};

const PERMISSION_KEYS: Table<PermissionSettings> = {
  deny: 'holds',
  ask: 'holds',
  disableBypassPermissionsMode: 'holds',
  allow: { because: 'it would let tools run without asking' },
  additionalDirectories: { because: 'it would open folders outside the project' },
  defaultMode: {
    holdsIf: (mode) => mode === 'default' || mode === 'plan',
    because: 'this mode lets tools run without asking, or stops you from being asked',
  },
};

/** Whether a person approved a value of a setting. */
export type IsApproved = (item: TrustItem) => boolean;

/** The part of a repository's settings that is safe before trust or approved, and each part that was left out. */
export function withoutDangerousSettings(
  settings: Settings,
  isApproved: IsApproved = () => false,
): {
  readonly settings: Settings;
  readonly skipped: readonly SkippedSetting[];
} {
  const { permissions, sandbox, other, ...rest } = settings;
  const top = keep(rest, KEYS, [], isApproved);
  const inner = keep(permissions, PERMISSION_KEYS, ['permissions'], isApproved);
  const narrowed = sandbox && !isApproved(settingItem(['sandbox'], sandbox)) ? narrowedSandbox(sandbox) : undefined;
  const kept = narrowed?.sandbox ?? sandbox;
  return {
    settings: {
      ...NO_SETTINGS,
      ...top.kept,
      ...(kept && { sandbox: kept }),
      permissions: { ...NO_PERMISSIONS, ...inner.kept },
      // others are dropped, so that no code can read one from here by accident
      other: Object.fromEntries(Object.entries(other).filter(([key, value]) => isApproved(settingItem([key], value)))),
    },
    skipped: [...top.skipped, ...inner.skipped, ...(narrowed?.skipped ?? [])],
  };
}

function keep<Fields extends object>(
  fields: Fields,
  table: Table<Fields>,
  parent: readonly string[],
  isApproved: IsApproved,
): {
  readonly kept: Partial<Fields>;
  readonly skipped: readonly SkippedSetting[];
  readonly parts: readonly SettingPart[];
} {
  const kept: Partial<Fields> = {};
  const skipped: SkippedSetting[] = [];
  const all: SettingPart[] = [];
  for (const key of Object.keys(table) as (keyof Fields & string)[]) {
    const value = fields[key];
    if (value === undefined || isEmptyDefault(key, value)) continue;
    const row = table[key];
    const path = [...parent, key];
    if (row === 'holds' || row.holdsIf?.(value as NonNullable<typeof value>)) kept[key] = value;
    else {
      const parts = partsOf(path, value);
      all.push(...parts);
      const approved = parts.filter(({ item }) => isApproved(item));
      if (approved.length > 0) kept[key] = joined(value, approved) as typeof value;
      const left = parts.filter((part) => !approved.includes(part));
      if (left.length > 0) skipped.push({ path, because: row.because, values: left.map(({ text }) => text) });
    }
  }
  return { kept, skipped, parts: all };
}

/** One value of a list or record, or the whole of anything else. */
interface SettingPart {
  readonly key: string | number | null;
  readonly value: unknown;
  readonly item: TrustItem;
  /** As a person would write it. */
  readonly text: string;
}

/** Each value by itself: a new allow rule must not switch off those that were approved. */
function partsOf(path: readonly string[], value: unknown): readonly SettingPart[] {
  if (Array.isArray(value)) {
    return value.map((one, index) => ({ key: index, value: one, item: settingItem(path, one), text: String(one) }));
  }
  if (typeof value !== 'object' || value === null) {
    return [{ key: null, value, item: settingItem(path, value), text: String(value) }];
  }
  return Object.entries(value).map(([key, one]) => {
    return { key, value: one, item: settingItem([...path, key], one), text: `${key}=${String(one)}` };
  });
}

function joined(whole: unknown, parts: readonly SettingPart[]): unknown {
  if (Array.isArray(whole)) return parts.map(({ value }) => value);
  if (typeof whole !== 'object' || whole === null) return whole;
  return Object.fromEntries(parts.map(({ key, value }) => [key, value]));
}

/** Every value in a repository's settings that needs trust, with its text. Servers are approved one by one. */
export function itemsOfSettings({ permissions, sandbox, other, ...rest }: Settings) {
  const none: IsApproved = () => false;
  const { mcpServers: _, ...others } = other;
  const parts = [
    ...keep(rest, KEYS, [], none).parts,
    ...keep(permissions, PERMISSION_KEYS, ['permissions'], none).parts,
  ];
  const whole = Object.entries({ ...(sandbox && { sandbox }), ...others });
  return [
    ...parts.map(({ item, value }) => ({ item, text: String(value) })),
    ...whole.map(([key, value]) => ({ item: settingItem([key], value), text: JSON.stringify(value) })),
  ];
}

/** Absent lists and records are read as empty ones, which are not skipped settings. */
function isEmptyDefault(key: string, value: unknown): boolean {
  if (!(key in NO_SETTINGS) && !(key in NO_PERMISSIONS)) return false;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
