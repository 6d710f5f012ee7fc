import * as z from 'zod';
import { ObjectReader, type ReaderWords, type ReadValues, type SettingsIssue } from './objectReader.ts';
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
export interface Settings extends Readonly<ReadValues<typeof SCALARS>> {
  /** As written: the hook engine reads its entries, so that a broken hook disables only itself. */
  readonly hooks?: unknown;
  readonly permissions: PermissionSettings;
  readonly env: Readonly<Record<string, string>>;
  /** Absent means every URL, empty means none. */
  readonly allowedHttpHookUrls?: readonly string[];
  /** Absent means no limit. */
  readonly httpHookAllowedEnvVars?: readonly string[];
  /** The sandbox for the model's commands. */
  readonly sandbox?: SandboxSettings;
  /** Keys that Stopgate does not know, as written: Claude Code has many more. */
  readonly other: Readonly<Record<string, unknown>>;
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

/** People also write numbers and booleans, such as `"DEBUG": 1`. */
const variable = z
  .union([z.string(), z.number(), z.boolean()])
  .transform(String)
  .refine((text) => !text.includes('\0'));

export const SETTINGS_KEYS: readonly string[] = [
  'hooks',
  'permissions',
  'env',
  'sandbox',
  ...Object.keys(SCALARS),
  ...STRING_LISTS,
];

const WORDS: ReaderWords = { value: wrong, list: 'must be a list of strings', item: 'must be a string' };

/** Reads one file's value; only keys of the wrong type are left out, and reported. */
export function readSettings(value: unknown, checkRule: CheckRule = () => undefined): ReadSettings {
  const issues: SettingsIssue[] = [];
  // no value at all is not an object either
  const file = new ObjectReader(value ?? null, [], issues, WORDS);
  if (issues.length > 0) return { settings: NO_SETTINGS, issues, oddRules: [] };
  const hooks = file.take('hooks');
  const scalars = file.values(SCALARS);
  const lists = file.lists(STRING_LISTS);
  const permissions = file.object('permissions');
  const permissionLists = permissions.lists(PERMISSION_LISTS);
  const rules = { ...NO_PERMISSIONS, ...permissionLists, ...permissions.values(PERMISSION_SCALARS) };
  const variables = file.object('env', 'must be an object of strings');
  const env = variables.entries(variable, (name) => !/[=\0]/.test(name));
  const sandbox = file.take('sandbox');
  const settings: Settings = {
    ...(hooks === undefined ? {} : { hooks }),
    ...scalars,
    ...lists,
    permissions: rules,
    env,
    ...(sandbox === undefined ? {} : { sandbox: readSandbox(sandbox, issues) }),
    other: Object.fromEntries(file.unread()),
  };
  return { settings, issues, oddRules: findOddRules(file.take('permissions'), checkRule) };
}

/** Reads the lists as written, so that a rule keeps its index when an earlier one is left out. */
function findOddRules(permissions: unknown, checkRule: CheckRule): SettingsIssue[] {
  const lists = z.record(z.string(), z.unknown()).safeParse(permissions).data ?? {};
  return (['allow', 'ask', 'deny'] as const).flatMap((list) => {
    const rules = z.array(z.unknown()).safeParse(lists[list]).data ?? [];
    return rules.flatMap((rule, index) => {
      const message = typeof rule === 'string' ? checkRule(rule) : undefined;
      return message === undefined ? [] : [{ path: ['permissions', list, index], message }];
    });
  });
}

function wrong(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue?.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  return issue?.code === 'invalid_type' ? `must be a ${issue.expected}` : 'is not valid';
}
