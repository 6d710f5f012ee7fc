import { describe, expect, it } from 'vitest';
import { decidePermission } from '../decidePermission.ts';

const decide = (command: string, mode: 'acceptEdits' | 'default' = 'acceptEdits') =>
  decidePermission({
    toolName: 'Bash',
    request: { type: 'command', command },
    mode,
    rules: { allow: [], ask: [], deny: [] },
    directories: ['/p'],
    projectDir: '/p',
    homeDir: '/h',
    realPath: (path) => (path.startsWith('/p/link') ? path.replace('/p/link', '/etc') : path),
    listFolder: () => [],
  }).type;

/** As recorded from Claude Code in the scenario accept-edits-commands, and what an attacker would try next. */
describe('commands in acceptEdits', () => {
  it.each([
    'mkdir -p x/y',
    'touch c.txt',
    'cp a.txt d.txt',
    'mv d.txt e.txt',
    'rm -rf x',
    'rmdir y',
    "sed -i 's/one/uno/' a.txt",
    "sed -i 's|a|b|g' a.txt b.txt",
    'touch g.txt && echo done',
    'mkdir x && touch x/a',
  ])('%s runs', (command) => {
    expect(decide(command)).toBe('allow');
    expect(decide(command, 'default')).toBe('ask');
  });

  it.each([
    'mkdir ../z',
    'rm -rf .',
    'rm -rf ./',
    'rm -rf /p',
    'rm -rf ..',
    'touch .git/config',
    'touch .claude/settings.json',
    'cp a.txt .git/hooks/pre-commit',
    'cp -t /etc a.txt',
    'cp -t/etc a.txt',
    'cp --target-directory=/etc a.txt',
    'cp /etc/passwd a.txt',
    'mkdir "$HOME/x"',
    'mkdir ~/x',
    'X=1 touch h.txt',
    'tee i.txt < a.txt',
    'ln -s a.txt l',
    'chmod +x a.txt',
    'rm *.txt',
    'touch $(echo j)',
    'timeout 5 touch k.txt',
    'sudo touch a',
    '/tmp/touch a',
    "sed -i 's/a/b/w out' a.txt",
    "sed -i 's/a/b/e' a.txt",
    "sed -i 's/a/b/;w out' a.txt",
    "sed -i '1e id' a.txt",
    "sed -i.bak 's/a/b/' a.txt",
    "sed -i 's/a/b/' -f x a.txt",
    'cd .. && rm -rf other',
    'touch link/passwd',
    'touch',
    'curl http://127.0.0.1:9',
  ])('%s does not run unasked', (command) => {
    expect(decide(command)).toBe('ask');
  });
});
