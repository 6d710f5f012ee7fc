import { resolve } from 'node:path';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import { PERMISSION_MODES, type PermissionMode, type PermissionRules } from './types.ts';

/** What a session's permissions are made of. */
export interface UpdatablePermissions {
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
  readonly additionalDirectories: readonly string[];
}

type Change<Type extends PermissionUpdate['type']> = (
  before: UpdatablePermissions,
  update: Extract<PermissionUpdate, { type: Type }>,
) => Partial<UpdatablePermissions>;

const CHANGES: { readonly [Type in PermissionUpdate['type']]: Change<Type> } = {
  addRules: ({ rules }, update) => withRules(rules, update, [...rules[update.behavior], ...written(update)]),
  replaceRules: ({ rules }, update) => withRules(rules, update, written(update)),
  removeRules: ({ rules }, update) => {
    const gone = written(update);
    const left = rules[update.behavior].filter((rule) => !gone.includes(rule));
    return withRules(rules, update, left);
  },
  setMode: (_before, { mode }) => {
    const known = PERMISSION_MODES.find((one) => one === mode);
    // a hook answers for one call; only the person who starts a session may switch all checks off
    return known === undefined || known === 'bypassPermissions' ? {} : { mode: known };
  },
  addDirectories: ({ additionalDirectories: before }, { directories }) => ({
    additionalDirectories: [...new Set([...before, ...directories.map((directory) => resolve(directory))])],
  }),
  removeDirectories: ({ additionalDirectories: before }, { directories }) => ({
    additionalDirectories: before.filter((directory) => !directories.includes(directory)),
  }),
};

/**
 * The permissions after what a hook asked for. It holds for the session, whatever `destination` says: a hook's answer
 * writes no settings file.
 */
export function updatePermissions<Permissions extends UpdatablePermissions>(
  permissions: Permissions,
  updates: readonly PermissionUpdate[],
): Permissions {
  let after = permissions;
  for (const update of updates) {
    // the table pairs each update with its own change; TypeScript cannot follow that through the lookup
    const change = CHANGES[update.type] as Change<PermissionUpdate['type']>;
    after = { ...after, ...change(after, update) };
  }
  return after;
}

type RuleUpdate = Extract<PermissionUpdate, { behavior: unknown }>;

function withRules(rules: PermissionRules, { behavior }: RuleUpdate, list: readonly string[]) {
  return { rules: { ...rules, [behavior]: list } };
}

function written({ rules }: RuleUpdate): readonly string[] {
  return rules.map(({ toolName, ruleContent }) =>
    ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
  );
}
