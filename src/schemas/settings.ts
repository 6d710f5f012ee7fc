import * as z from 'zod';
import type { JsonPath } from './json.ts';
import { readSandbox, type SandboxSettings } from './sandboxSettings.ts';

/** A copy, because schemas import nothing; a test keeps it equal to `PERMISSION_MODES`. */
export const SETTINGS_MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'] as const;

export interface PermissionSettings {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
  readonly additionalDirectories: readonly string[];
  readonly defaultMode?: (typeof SETTINGS_MODES)[number];
  /** bypassPermissions cannot be chosen, by flag or by setting. */
  readonly disableBypassPermissionsMode?: 'disable';
}

/** One settings file, as far as it could be read. Absent lists and records are empty. */
export interface Settings {
  /** As written: the hook engine reads its entries, so that a broken hook disables only itself. */
  readonly hooks?: unknown;
  readonly permissions: PermissionSettings;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly apiKeyHelper?: string;
  readonly disableAllHooks?: boolean;
  readonly allowManagedHooksOnly?: boolean;
  /** Absent means every URL, empty means none. */
  readonly allowedHttpHookUrls?: readonly string[];
  /** Absent means no limit. */
  readonly httpHookAllowedEnvVars?: readonly string[];
  readonly includeCoAuthoredBy?: boolean;
  readonly cleanupPeriodDays?: number;
  readonly autoCompactEnabled?: boolean;
  /** The sandbox for the model's commands. */
  readonly sandbox?: SandboxSettings;
  /** Keys that Stopgate does not know, as written: Claude Code has many more. */
  readonly other: Readonly<Record<string, unknown>>;
}

interface SettingsIssue {
  readonly path: JsonPath;
  readonly message: string;
}

/** The problem with a permission rule, if any; injected, because schemas do not know rules. */
export type CheckRule = (text: string) => string | undefined;

export interface ReadSettings {
  readonly settings: Settings;
  /** What was left out. */
  readonly issues: readonly SettingsIssue[];
  /** Rules that were kept although their text is odd. */
  readonly oddRules: readonly SettingsIssue[];
}

export const NO_PERMISSIONS: PermissionSettings = { allow: [], ask: [], deny: [], additionalDirectories: [] };
export const NO_SETTINGS: Settings = { permissions: NO_PERMISSIONS, env: {}, other: {} };

const SCALARS = {
  model: z.string().min(1),
  apiKeyHelper: z.string().min(1),
  disableAllHooks: z.boolean(),
  allowManagedHooksOnly: z.boolean(),
  includeCoAuthoredBy: z.boolean(),
  cleanupPeriodDays: z.number().nonnegative(),
  autoCompactEnabled: z.boolean(),
} as const;

const PERMISSION_SCALARS = {
  defaultMode: z.enum(SETTINGS_MODES),
  disableBypassPermissionsMode: z.literal('disable'),
} as const;

const STRING_LISTS = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars'] as const;
const PERMISSION_LISTS = ['allow', 'ask', 'deny', 'additionalDirectories'] as const;

const record = z.record(z.string(), z.unknown());
/** People also write numbers and booleans, such as `"DEBUG": 1`. */
const variable = z.union([z.string(), z.number(), z.boolean()]).transform(String);

export const SETTINGS_KEYS: readonly string[] = [
  'hooks',
  'permissions',
  'env',
  'sandbox',
  ...Object.keys(SCALARS),
  ...STRING_LISTS,
];
const KNOWN: ReadonlySet<string> = new Set(SETTINGS_KEYS);

/** Reads one file's value; only keys of the wrong type are left out, and reported. */
export function readSettings(value: unknown, checkRule: CheckRule = () => undefined): ReadSettings {
  const root = record.safeParse(value);
  if (!root.success) {
    return { settings: NO_SETTINGS, issues: [{ path: [], message: `must be an object${was(value)}` }], oddRules: [] };
  }
  const issues: SettingsIssue[] = [];
  const file = root.data;
  const settings: Settings = {
    ...(file.hooks === undefined ? {} : { hooks: file.hooks }),
    ...readScalars(SCALARS, { from: file, at: [], issues }),
    ...readLists(STRING_LISTS, { from: file, at: [], issues }),
    permissions: readPermissions(file.permissions, issues),
    env: readEnv(file.env, issues),
    ...(file.sandbox === undefined ? {} : { sandbox: readSandbox(file.sandbox, issues) }),
    other: Object.fromEntries(Object.entries(file).filter(([key]) => !KNOWN.has(key))),
  };
  return { settings, issues, oddRules: findOddRules(file.permissions, checkRule) };
}

/** Reads the lists as written, so that a rule keeps its index when an earlier one is left out. */
function findOddRules(permissions: unknown, checkRule: CheckRule): SettingsIssue[] {
  const lists = record.safeParse(permissions).data ?? {};
  return (['allow', 'ask', 'deny'] as const).flatMap((list) => {
    const rules = z.array(z.unknown()).safeParse(lists[list]).data ?? [];
    return rules.flatMap((rule, index) => {
      const message = typeof rule === 'string' ? checkRule(rule) : undefined;
      return message === undefined ? [] : [{ path: ['permissions', list, index], message }];
    });
  });
}

interface Place {
  readonly from: Readonly<Record<string, unknown>>;
  readonly at: JsonPath;
  readonly issues: SettingsIssue[];
}

type Read<Fields extends Record<string, z.ZodType>> = { [Key in keyof Fields]?: z.output<Fields[Key]> };

function readScalars<Fields extends Record<string, z.ZodType>>(fields: Fields, place: Place): Read<Fields> {
  const read: Read<Fields> = {};
  for (const key of Object.keys(fields) as (keyof Fields & string)[]) {
    const value = own(place.from, key);
    if (value === undefined) continue;
    const parsed = (fields[key] as Fields[typeof key]).safeParse(value);
    if (parsed.success) read[key] = parsed.data as z.output<Fields[typeof key]>;
    else place.issues.push({ path: [...place.at, key], message: wrong(parsed.error, value) });
  }
  return read;
}

function readLists<Key extends string>(keys: readonly Key[], place: Place): Partial<Record<Key, string[]>> {
  const read: Partial<Record<Key, string[]>> = {};
  for (const key of keys) {
    const value = own(place.from, key);
    if (value === undefined) continue;
    if (Array.isArray(value)) read[key] = readStrings(value, [...place.at, key], place.issues);
    else place.issues.push({ path: [...place.at, key], message: `must be a list of strings${was(value)}` });
  }
  return read;
}

function readStrings(values: readonly unknown[], at: JsonPath, issues: SettingsIssue[]): string[] {
  return values.flatMap((value, index) => {
    if (typeof value === 'string') return [value];
    issues.push({ path: [...at, index], message: `must be a string${was(value)}` });
    return [];
  });
}

function readPermissions(value: unknown, issues: SettingsIssue[]): PermissionSettings {
  if (value === undefined) return NO_PERMISSIONS;
  const parsed = record.safeParse(value);
  if (!parsed.success) {
    issues.push({ path: ['permissions'], message: `must be an object${was(value)}` });
    return NO_PERMISSIONS;
  }
  const place: Place = { from: parsed.data, at: ['permissions'], issues };
  return { ...NO_PERMISSIONS, ...readLists(PERMISSION_LISTS, place), ...readScalars(PERMISSION_SCALARS, place) };
}

function readEnv(value: unknown, issues: SettingsIssue[]): Record<string, string> {
  if (value === undefined) return {};
  const parsed = record.safeParse(value);
  if (!parsed.success) {
    issues.push({ path: ['env'], message: `must be an object of strings${was(value)}` });
    return {};
  }
  const entries = Object.entries(parsed.data).flatMap(([name, raw]): [string, string][] => {
    const text = variable.safeParse(raw);
    if (text.success && !/[=\0]/.test(name + (text.data.includes('\0') ? '\0' : ''))) return [[name, text.data]];
    issues.push({ path: ['env', name], message: `must be a string${was(raw)}` });
    return [];
  });
  return Object.fromEntries(entries);
}

function own(from: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(from, key) ? from[key] : undefined;
}

function wrong(error: z.ZodError, value: unknown): string {
  const issue = error.issues[0];
  if (issue?.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}${was(value)}`;
  if (issue?.code === 'invalid_type') return `must be a ${issue.expected}${was(value)}`;
  return `is not valid${was(value)}`;
}

function was(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return `, but is ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
