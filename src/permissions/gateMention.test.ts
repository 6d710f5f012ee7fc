import { describe, expect, it } from 'vitest';
import { decidePermission } from './decidePermission.ts';

function decide(command: string, directories: readonly string[] = ['/work/app']) {
  return decidePermission({
    toolName: 'Bash',
    request: { type: 'command', command },
    mode: 'bypassPermissions',
    rules: { allow: [], ask: [], deny: [] },
    ...{ directories, projectDir: directories[0] ?? '', homeDir: '/home/ann' },
    realPath: (path) => path.replace(/^\/work\/app\/lnk(?=\/|$)/, '/home/ann/.stopgate'),
    listFolder: (folder) => (folder === '/home/ann' ? ['.stopgate'] : []),
  });
}

const FILE = '~/.stopgate/projects/p/allowed.json';

describe('a command line that names a file below the home of Stopgate', () => {
  it.each([
    `echo x | tee ${FILE}`,
    `git config -f ${FILE} a.b c`,
    `git config --file=${FILE} a.b c`,
    `git diff --no-index --output=${FILE} /dev/null /etc/hostname`,
    `git clone -q . ${FILE}`,
    `git -C ~/.stopgate init`,
    `git init ${FILE}`,
    `find . -maxdepth 0 -fprintf ${FILE} x`,
    `echo x | sort -o ${FILE}`,
    `sort -o${FILE.replace('~', '/home/ann')} x`,
    `curl -s -o ${FILE} file:///etc/hostname`,
    `wget -O ${FILE} http://x`,
    `script -qc true ${FILE}`,
    `split x ${FILE}`,
    `less -o ${FILE} x`,
    `tar xf x.tar -C ~/.stopgate`,
    `sed -n 'w ${FILE}' b`,
    `sed -n 'w /home/ann/.stopgate/x' b`,
    `awk 'BEGIN{print "x" > "/home/ann/.stopgate/x"}'`,
    `python3 -c 'open("/home/ann/.stopgate/x", "w")'`,
    `python3 -c 'import os; open(os.environ["HOME"] + "/.stopgate/x", "w")'`,
    `node -e "require('fs').writeFileSync(os.homedir() + '/.stopgate/x', '')"`,
    `python3 <<'E'\nopen("/home/ann/.stopgate/x", "w")\nE`,
    'ln -s ~/.stopgate lnk2 && echo x > lnk2/projects/p/allowed.json',
    'sort -o lnk/x y',
    `d=$HOME/.stop; echo x > \${d}gate/projects/p/allowed.json`,
    'd=~/.stopgate; sort -o $d/x y',
    'd=$(ls -d ~/.stopgate); echo x > $d/x',
    `echo ${FILE} | xargs touch`,
    'cd ~/.stopgate && sort -o x y',
    'cd ~ && sort -o .stopgate/x y',
    'sort -o ~/.stop*/x y',
    'sort -o ~/.stop""gate/x y',
  ])('is denied with permissions bypassed: %s', (command) => {
    expect(decide(command)).toMatchObject({ type: 'deny', reason: expect.stringMatching(/decides when this agent/) });
  });

  it.each([
    'ls -la ~/.stopgate',
    'cat $HOME/.stopgate/ledger.jsonl | head -3 | jq .type',
    'tail -n 3 ~/.stopgate/ledger.jsonl 2>/dev/null > out.txt',
    'cd ~/.stopgate && ls && cat x',
    'grep -rn ".stopgate" src',
    'rg -n x ~/.stopgate',
    'test -e ~/.stopgate/x && echo there',
    'git commit -m "Records are kept in ~/.stopgate"',
    'git add docs && git commit -m "Records are kept in ~/.stopgate"',
    'timeout 5 cat ~/.stopgate/x',
    'find ~/.stopgate -name "*.json" | wc -l',
    'stopgate status ~/.stopgate',
    'npx vitest run tests/.stopgate-like.test.ts',
    'sort -o a.stopgate b',
  ])('is not denied when all of it reads: %s', (command) => {
    expect(decide(command).type).toBe('allow');
  });

  it('is denied where the home folder itself is open', () => {
    expect(decide('sort -o .stopgate/x y', ['/home/ann']).type).toBe('deny');
  });

  it('is not denied in a worktree that Stopgate keeps there', () => {
    const folder = '/home/ann/.stopgate/worktrees/app';
    expect(decide(`sort -o ${folder}/a b && python3 -c 'open("${folder}/x", "w")'`, [folder]).type).toBe('allow');
    expect(decide(`sort -o ${folder}/../x b`, [folder]).type).toBe('deny');
  });
});

describe('a command line that names the configuration of the gate', () => {
  it.each([
    'sort -o stopgate.config.json x',
    'git config -f stopgate.config.json a.b c',
    'git diff --output=stopgate.config.json',
    'git checkout HEAD~1 -- stopgate.config.json',
    'curl -o stopgate.config.json http://x',
    `python3 -c 'open("stopgate.config.json", "w").write("{}")'`,
    `node -e "fs.writeFileSync('stopgate.config.json', '{}')"`,
    `awk 'BEGIN{print "x" > "stopgate.config.json"}'`,
  ])('is denied when it may write: %s', (command) => {
    expect(decide(command)).toMatchObject({ type: 'deny', reason: expect.stringMatching(/decides when this agent/) });
  });

  it.each([
    'cat stopgate.config.json && npm test',
    'git add stopgate.config.json && git commit -m "Explain stopgate.config.json"',
    `python3 -c 'import json; print(json.load(open("stopgate.config.json"))["checks"])'`,
    `node -e "console.log(require('./stopgate.config.json').checks)"`,
    'npx prettier --check stopgate.config.json',
    'cp stopgate.config.json /tmp/copy.json',
    'cat > docs/setup.md <<E\nEdit stopgate.config.json, and see ./docs.\nE',
  ])('is not denied when it reads: %s', (command) => {
    expect(decide(command).type).toBe('allow');
  });
});
