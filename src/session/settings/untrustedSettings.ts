import type { JsonPath } from '../../schemas/json.ts';
import { NO_PERMISSIONS, NO_SETTINGS, type PermissionSettings, type Settings } from '../../schemas/settings.ts';
import { narrowedSandbox } from './untrustedSandbox.ts';

/**
 * What a repository's own settings may do before its owner is trusted. Files under `<project>/.claude` come with a
 * clone, `settings.local.json` included, so they may tighten what the person chose and never loosen it. A key added to
 * `Settings` does not compile without a row here.
 */
type Row<Value> =
  | { readonly untrusted: 'holds' }
  | { readonly untrusted: 'skipped'; readonly because: string }
  | { readonly untrusted: 'holdsIf'; readonly test: (value: Value) => boolean; readonly because: string };

type Table<Fields> = { readonly [Key in keyof Required<Fields>]: Row<NonNullable<Fields[Key]>> };

const holds = { untrusted: 'holds' } as const;

const KEYS: Table<Omit<Settings, 'permissions' | 'sandbox' | 'other'>> = {
  // checked entry by entry by the hook policy
  hooks: holds,
  env: { untrusted: 'skipped', because: 'a variable such as PATH or NODE_OPTIONS can run code or redirect requests' },
  apiKeyHelper: { untrusted: 'skipped', because: 'it is a command that would be run' },
  // a model can be a URL or a scripted file
  model: { untrusted: 'skipped', because: 'it chooses who receives the conversation and what it costs' },
  disableAllHooks: { untrusted: 'skipped', because: 'it would switch your own hooks off, or on again' },
  allowManagedHooksOnly: { untrusted: 'skipped', because: 'only managed settings may lock hooks' },
  allowedHttpHookUrls: {
    untrusted: 'holdsIf',
    test: (urls) => urls.length === 0,
    because: 'lists are joined, so it would widen where hooks may send data',
  },
  httpHookAllowedEnvVars: {
    untrusted: 'holdsIf',
    test: (names) => names.length === 0,
    because: 'lists are joined, so it would widen what hooks may send',
  },
  cleanupPeriodDays: { untrusted: 'skipped', because: 'it can have your transcripts deleted early' },
  includeCoAuthoredBy: holds,
  autoCompactEnabled: holds,
};

const PERMISSION_KEYS: Table<PermissionSettings> = {
  deny: holds,
  ask: holds,
  disableBypassPermissionsMode: holds,
  allow: { untrusted: 'skipped', because: 'it would let tools run without asking' },
  additionalDirectories: { untrusted: 'skipped', because: 'it would open folders outside the project' },
  defaultMode: {
    untrusted: 'holdsIf',
    test: (mode) => mode === 'default' || mode === 'plan',
    because: 'this mode lets tools run without asking, or stops you from being asked',
  },
};

export interface SkippedSetting {
  readonly path: JsonPath;
  readonly because: string;
}

/** The part of a repository's settings that is safe before trust, and each part that was left out. */
export function withoutDangerousSettings(settings: Settings): {
  readonly settings: Settings;
  readonly skipped: readonly SkippedSetting[];
} {
  const { permissions, sandbox, other, ...rest } = settings;
  const top = keep(rest, KEYS);
  const inner = keep(permissions, PERMISSION_KEYS);
  const narrowed = sandbox && narrowedSandbox(sandbox);
  return {
    // unknown keys are dropped, so that no code can read one from here by accident
    settings: {
      ...NO_SETTINGS,
      ...top.kept,
      ...(narrowed && { sandbox: narrowed.sandbox }),
      permissions: { ...NO_PERMISSIONS, ...inner.kept },
    },
    skipped: [
      ...top.left.map(({ key, because }) => ({ path: [key], because })),
      ...inner.left.map(({ key, because }) => ({ path: ['permissions', key], because })),
      ...(narrowed?.skipped ?? []),
    ],
  };
}

interface Kept<Fields> {
  readonly kept: Partial<Fields>;
  readonly left: readonly { readonly key: string; readonly because: string }[];
}

function keep<Fields extends object>(fields: Fields, table: Table<Fields>): Kept<Fields> {
  const kept: Partial<Fields> = {};
  const left: { key: string; because: string }[] = [];
  for (const key of Object.keys(table) as (keyof Fields & string)[]) {
    const value = fields[key];
    if (value === undefined || isEmptyDefault(key, value)) continue;
    const row = table[key];
    if (row.untrusted === 'holds' || (row.untrusted === 'holdsIf' && row.test(value as NonNullable<typeof value>))) {
      kept[key] = value;
    } else left.push({ key, because: row.because });
  }
  return { kept, left };
}

/** Absent lists and records are read as empty ones, which are not skipped settings. */
function isEmptyDefault(key: string, value: unknown): boolean {
  if (!(key in NO_SETTINGS) && !(key in NO_PERMISSIONS)) return false;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
