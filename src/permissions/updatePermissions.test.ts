import { describe, expect, it } from 'vitest';
import type { PermissionUpdate } from '../schemas/permissionAnswer.ts';
import { type UpdatablePermissions, updatePermissions } from './updatePermissions.ts';

const before: UpdatablePermissions = {
  mode: 'default',
  rules: { allow: ['Read'], ask: [], deny: ['Bash(rm *)'] },
  additionalDirectories: ['/a'],
};
const touch = [{ toolName: 'Bash', ruleContent: 'touch *' }];

describe('updatePermissions', () => {
  it.each<[PermissionUpdate, Partial<UpdatablePermissions>]>([
    [
      { type: 'addRules', rules: touch, behavior: 'allow' },
      { rules: { ...before.rules, allow: ['Read', 'Bash(touch *)'] } },
    ],
    [
      { type: 'addRules', rules: [{ toolName: 'Write' }], behavior: 'ask' },
      { rules: { ...before.rules, ask: ['Write'] } },
    ],
    [{ type: 'replaceRules', rules: touch, behavior: 'deny' }, { rules: { ...before.rules, deny: ['Bash(touch *)'] } }],
    [
      { type: 'removeRules', rules: [{ toolName: 'Read' }], behavior: 'allow' },
      { rules: { ...before.rules, allow: [] } },
    ],
    [{ type: 'setMode', mode: 'acceptEdits' }, { mode: 'acceptEdits' }],
    [{ type: 'setMode', mode: 'bypassPermissions' }, {}],
    [{ type: 'setMode', mode: 'nonsense' }, {}],
    [{ type: 'addDirectories', directories: ['/b', '/a'] }, { additionalDirectories: ['/a', '/b'] }],
    [{ type: 'removeDirectories', directories: ['/a'] }, { additionalDirectories: [] }],
  ])('%j', (update, changed) => {
    expect(updatePermissions(before, [update])).toEqual({ ...before, ...changed });
  });

  it('applies several in order and keeps what else the permissions hold', () => {
    const updates: PermissionUpdate[] = [
      { type: 'addRules', rules: touch, behavior: 'allow' },
      { type: 'replaceRules', rules: [], behavior: 'allow' },
    ];
    expect(updatePermissions({ ...before, homeDir: '/h' }, updates)).toMatchObject({
      homeDir: '/h',
      rules: { allow: [] },
    });
  });
});
