import { NO_PERMISSIONS, NO_SETTINGS, type PermissionSettings, type Settings } from '../../schemas/settings.ts';
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

/** The part of a repository's settings that is safe before trust, and each part that was left out. */
export function withoutDangerousSettings(settings: Settings): {
  readonly settings: Settings;
  readonly skipped: readonly SkippedSetting[];
} {
  const { permissions, sandbox, other, ...rest } = settings;
  const skipped: SkippedSetting[] = [];
  const top = keep(rest, KEYS, (key, because) => skipped.push({ path: [key], because }));
  const inner = keep(permissions, PERMISSION_KEYS, (key, because) =>
    skipped.push({ path: ['permissions', key], because }),
  );
  const narrowed = sandbox && narrowedSandbox(sandbox);
  return {
    // unknown keys are dropped, so that no code can read one from here by accident
    settings: {
      ...NO_SETTINGS,
      ...top,
      ...(narrowed && { sandbox: narrowed.sandbox }),
      permissions: { ...NO_PERMISSIONS, ...inner },
    },
    skipped: [...skipped, ...(narrowed?.skipped ?? [])],
  };
}

function keep<Fields extends object>(
  fields: Fields,
  table: Table<Fields>,
  skip: (key: string, because: string) => void,
): Partial<Fields> {
  const kept: Partial<Fields> = {};
  for (const key of Object.keys(table) as (keyof Fields & string)[]) {
    const value = fields[key];
    if (value === undefined || isEmptyDefault(key, value)) continue;
    const row = table[key];
    if (row === 'holds' || row.holdsIf?.(value as NonNullable<typeof value>)) kept[key] = value;
    else skip(key, row.because);
  }
  return kept;
}

/** Absent lists and records are read as empty ones, which are not skipped settings. */
function isEmptyDefault(key: string, value: unknown): boolean {
  if (!(key in NO_SETTINGS) && !(key in NO_PERMISSIONS)) return false;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
