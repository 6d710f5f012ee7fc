import { describe, expect, it } from 'vitest';
import { decidePermission } from '../../src/permissions/decidePermission.ts';
import type { PermissionFacts, PermissionRules } from '../../src/permissions/types.ts';
import { ATTACHED_TARGETS, BEYOND_RULES, DENIED_FILES, hiddenCommands, STILL_HIDDEN, WALKS } from './attacks.ts';
import { EVERYDAY, NOT_HIDDEN } from './everydayCommands.ts';

function decide(command: string, rules: Partial<PermissionRules>, mode: PermissionFacts['mode'] = 'default') {
  return decidePermission({
    toolName: 'Bash',
    request: { type: 'command', command },
    mode,
    rules: { allow: [], ask: [], deny: [], ...rules },
    directories: ['/work/app'],
    projectDir: '/work/app',
    homeDir: '/home/ann',
    realPath: (path) => path,
    listFolder: () => ['a', 'b'],
  });
}

describe('everyday commands', () => {
  it('are more than 300', () => {
    expect(EVERYDAY.flatMap(({ commands }) => commands).length).toBeGreaterThan(300);
  });

  it.each(EVERYDAY.map((group) => [group.name, group] as const))('run without a question: %s', (_, group) => {
    const refused = group.commands.flatMap((command) => {
      const decision = decide(command, { allow: group.allow }, group.mode);
      return decision.type === 'allow' ? [] : [`${command}: ${decision.reason}`];
    });
    expect(refused).toEqual([]);
  });
});

describe('hidden commands', () => {
  const commands = hiddenCommands();

  it('are more than 1,000', () => {
    expect(commands.length).toBeGreaterThan(1000);
  });

  it.each(['default', 'plan', 'dontAsk', 'acceptEdits'] as const)('do not run without a rule in mode %s', (mode) => {
    // rm of a file in the project is an edit that this mode accepts
    const tried =
      mode === 'acceptEdits' ? commands.map((command) => command.replaceAll('-f x', '-f /etc/x')) : commands;
    expect(tried.filter((command) => decide(command, {}, mode).type === 'allow')).toEqual([]);
  });

  it.each([
    ['in bypassPermissions', {}, 'bypassPermissions'],
    ['beside a rule for all commands', { allow: ['Bash'] }, 'default'],
  ] as const)('are held by a deny rule %s', (_, rules, mode) => {
    const deny = ['Bash(rm *)'];
    expect(commands.filter((command) => decide(command, { ...rules, deny }, mode).type !== 'deny')).toEqual([]);
  });
});

describe('a rule with a wildcard', () => {
  it.each(BEYOND_RULES.flatMap(([rule, ...commands]) => commands.map((command) => [rule, command] as const)))(
    '%s does not cover %j',
    (rule, command) => {
      expect(decide(command, { allow: [rule] }).type).toBe('ask');
      // the very line may be allowed all the same
      expect(decide(command, { allow: [`Bash(${command.replace(/[\\*]/g, '\\$&')})`] }).type).not.toBe('deny');
    },
  );

  it.each([
    ['Bash(find * -exec grep *)', 'find . -name a -exec grep x {} ;'],
    ['Bash(git rebase --exec *)', "git rebase --exec 'npm test' main"],
    ['Bash(find *)', 'find . -name "*.ts" -delete'],
    ['Bash(git *)', 'for f in a b; do git add "$f"; done'],
    ['Bash(git *)', 'git diff $(git merge-base main HEAD)'],
    ['Bash(git *)', 'git add -- $(cat list)'],
  ])('%s covers %j', (rule, command) => {
    const rules = { allow: [rule, 'Bash(cat list)'] };
    expect(decide(command, rules).type).toBe('allow');
  });
});

describe('a deny rule on files', () => {
  it.each(DENIED_FILES.flatMap(([rule, ...commands]) => commands.map((command) => [rule, command] as const)))(
    '%s holds against %j',
    (rule, command) => {
      expect(decide(command, { deny: [rule] }, 'bypassPermissions').type).toBe('deny');
      expect(decide(command, { deny: [rule], allow: ['Bash'] }).type).toBe('deny');
    },
  );

  it.each([
    ['Edit(secret.txt)', 'cat secret.txt'],
    ['Edit(secret.txt)', 'git add secret.txt && git commit -m x'],
    ['Edit(secret.txt)', 'node secret.txt'],
    ['Edit(secret.txt)', 'echo secret.txt'],
    ['Edit(/src/gen/**)', 'npx vitest run src/gen/a.test.ts'],
    ['Edit(/src/gen/**)', 'grep -rn x src'],
    ['Read(~/.ssh/**)', 'grep -rn x .'],
    ['Read(~/.ssh/**)', 'for f in a b; do cat "$f"; done'],
  ])('%s leaves %j alone', (rule, command) => {
    expect(decide(command, { deny: [rule] }, 'bypassPermissions').type).toBe('allow');
  });

  it.each(['cat $(base64 -d <<< LmVudg==)', 'f=$(cat list); cp $f x', 'cat < $(cat list)'])(
    'makes %j a question, whatever else is allowed',
    (command) => {
      expect(decide(command, { deny: ['Read(.env)'], allow: ['Bash'] }).type).toBe('ask');
      expect(decide(command, { allow: ['Bash'] }).type).toBe('allow');
    },
  );
});

describe('a deny rule on a name that may lie anywhere', () => {
  const tree: Readonly<Record<string, readonly string[]>> = {
    '/work': ['app'],
    '/work/app': ['src', 'packages', 'out', 'README.md', 'a.ts'],
    '/work/app/src': ['a.ts'],
    '/work/app/packages': ['api'],
    '/work/app/packages/api': ['.env', 'b.ts'],
  };
  const decideInTree = (command: string, deny: string) =>
    decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command },
      mode: 'bypassPermissions',
      rules: { allow: [], ask: [], deny: [deny] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path,
      listFolder: (folder) => tree[folder] ?? [],
      trackedFiles: () => ['/work/app/src/a.ts'],
    }).type;

  it.each(WALKS.flatMap(({ rule, denied }) => denied.map((command) => [rule, command] as const)))(
    '%s holds against %j, which goes through its folder',
    (rule, command) => expect(decideInTree(command, rule)).toBe('deny'),
  );

  it.each(WALKS.flatMap(({ rule, open }) => open.map((command) => [rule, command] as const)))(
    '%s leaves %j alone, which does not get there',
    (rule, command) => expect(decideInTree(command, rule)).toBe('allow'),
  );

  it('holds where the tree is too large to look through', () => {
    const facts = (listFolder: (folder: string) => readonly string[]): PermissionFacts => ({
      toolName: 'Bash',
      request: { type: 'command', command: 'grep -r x .' },
      mode: 'bypassPermissions',
      rules: { allow: [], ask: [], deny: ['Read(.env)'] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path,
      listFolder,
    });
    expect(decidePermission(facts((folder) => (folder.length < 30 ? ['a', 'b', 'c', 'd'] : []))).type).toBe('deny');
    expect(decidePermission(facts((folder) => (folder.length < 14 ? ['a', 'b', 'c', 'd'] : []))).type).toBe('allow');
  });
});

describe('accepted edits', () => {
  const decideWithLinks = (command: string) =>
    decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command },
      mode: 'acceptEdits',
      rules: { allow: [], ask: [], deny: [] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path.replace('/work/app/lnk', '/home/ann'),
      listFolder: () => ['a', 'b'],
    }).type;

  it.each(ATTACHED_TARGETS)('do not cover %j', (command) => expect(decideWithLinks(command)).not.toBe('allow'));

  it.each(['cp -r src out', 'mv -tout a', 'cp -tout a b', 'rm -rf out', 'rm -rf out/*', 'mkdir -p a/b'])(
    'cover %j',
    (command) => expect(decideWithLinks(command)).toBe(command.includes('*') ? 'ask' : 'allow'),
  );
});

describe('a wildcard', () => {
  const decideWithLink = (command: string) =>
    decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command },
      mode: 'default',
      rules: { allow: [], ask: [], deny: [] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path.replace('/work/app/lnk', '/etc'),
      listFolder: (folder) => (folder === '/work/app' ? ['lnk', 'a'] : ['passwd']),
    }).type;

  it.each([
    'echo /etc/*',
    'echo ~/.ssh/*',
    'echo lnk/*',
    'head -1 l[!x]k/passwd',
    'cat l[[=n=]]k/passwd',
    'cat [!a]nk/passwd',
    'cat ?nk/passwd',
    'cat l*/*',
  ])('does not lead out of the project: %j', (command) => expect(decideWithLink(command)).toBe('ask'));

  it('may be of files that stay inside', () => expect(decideWithLink('cat [a]')).toBe('allow'));
});

describe('a rule for all commands, beside a deny rule on files', () => {
  const decideInFolder = (command: string) =>
    decidePermission({
      toolName: 'Bash',
      request: { type: 'command', command },
      mode: 'default',
      rules: { allow: ['Bash'], ask: [], deny: ['Read(.env)', 'Edit(/src/gen/**)'] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path,
      listFolder: (folder) => (folder === '/work/app' ? ['README.md', 'dist'] : []),
      trackedFiles: () => ['/work/app/README.md'],
    }).type;

  it.each(NOT_HIDDEN)('lets %j run', (command) => expect(decideInFolder(command)).toBe('allow'));

  it.each(STILL_HIDDEN)('makes %j a question', (command) => expect(decideInFolder(command)).toBe('ask'));
});

describe('a file whose name looks like an option', () => {
  it('makes a wildcard a question', () => {
    const facts = (names: readonly string[]): PermissionFacts => ({
      toolName: 'Bash',
      request: { type: 'command', command: 'grep x *' },
      mode: 'default',
      rules: { allow: [], ask: [], deny: [] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
      realPath: (path) => path,
      listFolder: () => names,
    });
    expect(decidePermission(facts(['a', '-R'])).type).toBe('ask');
    expect(decidePermission(facts(['a', 'b'])).type).toBe('allow');
  });
});

describe('a rule for all edits', () => {
  const edit = (path: string, resolvedPath = path) =>
    decidePermission({
      toolName: 'Write',
      request: { type: 'edit', path, resolvedPath },
      mode: 'default',
      rules: { allow: ['Edit'], ask: [], deny: [] },
      directories: ['/work/app'],
      projectDir: '/work/app',
      homeDir: '/home/ann',
    }).type;

  it.each(['/home/ann/.ssh/authorized_keys', '/etc/passwd', '/work/app/../x', '/work/application/x', '~/x'])(
    'does not open %s',
    (path) => expect(edit(path.replace('~', '/home/ann'))).toBe('ask'),
  );

  it('covers the open folders, by where links lead', () => {
    expect(edit('/work/app/src/a.ts')).toBe('allow');
    expect(edit('/work/app/link', '/etc/x')).toBe('ask');
  });
});
