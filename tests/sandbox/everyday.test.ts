import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_SANDBOX } from '../../src/schemas/sandboxSettings.ts';
import { hasProgram, SECRET, sandboxProject, whyNoSandbox } from '../support/sandboxProject.ts';

const missing = await whyNoSandbox();
if (missing !== null) console.warn(`The sandbox is not tested here: ${missing}.`);

/** The sandbox has a /tmp of its own, so that a checkout below it is not there: any other Node serves as well. */
const NODE = process.execPath.startsWith('/tmp/')
  ? ['/usr/local/bin/node', '/usr/bin/node'].find((file) => existsSync(file))
  : process.execPath;

const node = (script: string) => `"${NODE}" -e '${script}'`;

/** What a day's work consists of, and what it prints. */
const EVERYDAY: readonly (readonly [name: string, command: string, prints: RegExp | string])[] = [
  ['a commit', 'echo b > b; git add b && git commit -qm two && git log --oneline | wc -l', '2'],
  [
    'a branch, a merge and a rebase',
    'git checkout -qb x && echo c > c && git add c && git commit -qm x && git checkout -q main && git merge -q x && git rebase -q main && git log --oneline | wc -l',
    '2',
  ],
  ['a stash', 'echo d >> src/a.js; git stash -q && git stash pop -q && git diff --stat', /1 file changed/],
  ['a tag and a diff', 'git tag v1 && git diff v1 HEAD && git show --stat v1', /one/],
  ['files and folders', 'mkdir -p a/b && echo x > a/b/c && mv a z && cp -r z y && rm -r z && cat y/b/c', 'x'],
  ['a temp file', 'f=$(mktemp) && echo x > $f && cat $f && d=$(mktemp -d) && ls -d $d', /^x\n/],
  ['a here-document', "cat > h.txt <<'END'\none $x\nEND\ncat h.txt", 'one $x'],
  ['pipes', 'printf "b\\na\\nb\\n" | sort | uniq -c | sort -rn | head -1 | tr -s " "', '2 b'],
  ['process substitution', 'diff <(echo a) <(echo b) | head -1; cat <(echo p)', /p$/],
  [
    '/dev/stdout, /dev/stderr and /dev/null',
    'echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/null; echo d | tee /dev/stderr',
    /a\n/,
  ],
  ['jobs', 'sleep 0.05 & wait $!; echo $?; (exit 3); echo $?', '0\n3'],
  ['a program of the project', node('console.log(require("fs").readdirSync(".").includes("src"))'), 'true'],
  [
    'a test in node',
    'printf "require(\\"node:test\\")(\\"t\\", () => {})" > t.test.cjs; "$NODE" --test t.test.cjs | grep -E "pass 1"',
    /pass 1/,
  ],
  [
    'children of node',
    node('console.log(require("child_process").execFileSync("echo", ["c"]).toString().trim())'),
    'c',
  ],
  ['a worker of node', node('new (require("worker_threads").Worker)("console.log(7)", { eval: true })'), '7'],
  [
    'a server on the loopback of its own',
    node(
      'const h = require("http"); const s = h.createServer((q, r) => r.end("hi")).listen(0, () => h.get({ port: s.address().port }, (r) => r.on("data", (d) => { console.log(String(d)); s.close(); })))',
    ),
    'hi',
  ],
  [
    'a unix socket of its own',
    node(
      'const n = require("net"); const s = n.createServer((c) => c.end("u")).listen("own.sock", () => n.connect("own.sock").on("data", (d) => { console.log(String(d)); s.close(); }))',
    ),
    'u',
  ],
  ['perl', `perl -MFile::Temp=tempfile -e 'my ($h, $f) = tempfile(); print $h "x"; close $h; print -s $f'`, '1'],
  ['an executable script', 'printf "#!/bin/sh\\necho ran\\n" > s.sh && chmod +x s.sh && ./s.sh', 'ran'],
  ['modes, links and times', 'touch -d 2001-01-01 t && chmod 640 t && ln -s t l && stat -c "%a %Y" -L l', /^640 97/],
  ['a group id on a folder', 'mkdir g && chmod g+s g && stat -c %A g', /s/],
  ['what the system has', 'ls /usr/bin | head -1 && cat /etc/os-release | head -1 && date +%Y && uname -s', /Linux/],
  ["the person's own readable files", 'cat ~/.bashrc', 'untouched'],
  ['who and where', 'id -un && pwd && echo $HOME', /project\n.*home$/],
  ['an archive', 'tar -czf a.tgz src && mkdir o && tar -xzf a.tgz -C o && ls o/src', 'a.js'],
  ['find and xargs', 'find src -name "*.js" -print0 | xargs -0 -n1 basename', 'a.js'],
  ['what tells of processes', 'ps -o comm= -p $$; kill -0 $$ && echo alive', /alive/],
  ['a timeout', 'timeout 0.1 sleep 5; echo $?', '124'],
  ['a trap', 'trap "echo bye" EXIT; echo hi', 'hi\nbye'],
];

describe.skipIf(missing !== null)('inside the sandbox', () => {
  it.each(EVERYDAY)('%s works', async (_name, command, prints) => {
    await using project = await sandboxProject({ env: { NODE: NODE ?? '' } });
    const { output, failed } = await project.run(command);
    expect({ output: output.trim(), failed }).toEqual({
      output: typeof prints === 'string' ? prints : expect.stringMatching(prints),
      failed: false,
    });
  });

  it('follows cd, and keeps what is in its temp folder for the next command', async () => {
    await using project = await sandboxProject();
    await project.run('echo kept > $TMPDIR/x; echo also > /tmp/y; cd src');
    const { output } = await project.run('pwd; cat $TMPDIR/x /tmp/x $TMPDIR/y');
    expect(output).toBe(`${project.project}/src\nkept\nkept\nalso`);
  });

  it('runs commands in the background and says how they ended', async () => {
    await using project = await sandboxProject();
    const { output, failed } = await project.run('echo one; sleep 0.1; echo two > made.txt; exit 3', {
      background: true,
    });
    expect({ output, failed }).toEqual({ output: 'one\n', failed: true });
    expect(readFileSync(path.join(project.project, 'made.txt'), 'utf8')).toBe('two\n');
  });

  it('ends a command that takes too long, with all it started', async () => {
    await using project = await sandboxProject();
    const { output } = await project.run('sleep 300 & bash -c "exec -a daemon-$MARK sleep 300"', { timeout: 500 });
    expect(output).toContain('timed out');
    await expect.poll(() => project.state().daemons).toBe('');
  });

  it('reads the variables that hooks left', async () => {
    const prepare = ({ home }: { home: string }) =>
      writeFileSync(path.join(home, '.stopgate/hook-env.sh'), 'export LEFT=over\n');
    await using project = await sandboxProject({ prepare });
    expect((await project.run('echo $LEFT')).output).toBe('over');
  });

  it.each([
    ['a file outside', 'echo x > $OUT/victim.txt', /write only in .*project and \$TMPDIR/],
    ['a guarded file', 'echo x > .git/config', /\.git\/config/],
    ['the network', 'exec 5<>/dev/tcp/example.com/80', /no network/],
  ])('says in one line that it may have refused %s', async (_name, command, sentence) => {
    await using project = await sandboxProject();
    const { output } = await project.run(command);
    const lines = output.split('\n').filter((line) => line.startsWith('This command ran in a sandbox'));
    expect(lines).toEqual([expect.stringMatching(sentence)]);
  });

  it('says nothing of the sandbox when a command fails by itself', async () => {
    await using project = await sandboxProject();
    expect((await project.run('ls nowhere; exit 4')).output).not.toContain('sandbox');
  });

  it('lets a command neither wait on a pipe in place of what tells its directory, nor read by it', async () => {
    await using project = await sandboxProject();
    const { output } = await project.run(
      'd=$(ls -d $TMPDIR/stopgate-bash-*); trap "rm -f $d/directory; mkfifo $d/directory" EXIT; echo ok',
    );
    expect(output).toBe('ok');
  });

  it('leaves nothing behind but what the commands made', async () => {
    await using project = await sandboxProject();
    const before = readdirSync(project.project).toSorted();
    await project.run('true');
    expect(readdirSync(project.project).toSorted()).toEqual(before);
  });
});

describe.skipIf(missing !== null)('a project without guarded files', () => {
  const bare = ({ project }: { project: string }) => {
    for (const name of ['.claude', '.husky', 'stopgate.config.json', '.git'])
      execFileSync('rm', ['-rf', path.join(project, name)]);
  };

  it('gets none that hold a session to other rules', async () => {
    await using project = await sandboxProject({ prepare: bare });
    const { output } = await project.run(
      'mkdir -p .claude; echo x > .claude/settings.json; echo x > stopgate.config.json; echo x > .mcp.json',
    );
    expect(output).toContain('stopgate.config.json.refused-1');
    expect(output).toContain('.mcp.json.refused-1');
    expect(readdirSync(path.join(project.project, '.claude'))).toEqual([]);
    expect(existsSync(path.join(project.project, 'stopgate.config.json'))).toBe(false);
  });

  it('has its link back that a command replaced', async () => {
    const prepare = (places: { project: string; outside: string }) => {
      bare(places);
      symlinkSync(path.join(places.outside, 'folder'), path.join(places.project, '.claude'));
    };
    await using project = await sandboxProject({ prepare });
    await project.run('rm .claude; mkdir .claude; echo evil > .claude/settings.json');
    expect(readdirSync(path.join(project.project, '.claude'))).toEqual(['inner.txt']);
  });

  it('keeps no empty folder of ours after the session', async () => {
    const project = await sandboxProject({ prepare: bare });
    const claude = path.join(project.project, '.claude');
    expect(existsSync(claude)).toBe(true);
    const { warnings } = project;
    expect(warnings).toEqual([]);
    await project[Symbol.asyncDispose]();
    expect(existsSync(claude)).toBe(false);
  });
});

describe.skipIf(missing !== null)('while a command in the background swaps files', () => {
  it('no link of its making opens a place outside', async () => {
    await using project = await sandboxProject();
    const before = project.state();
    // a folder, a link out of the project and a link to a secret, in turn and as fast as it can
    const swapping = project.run(
      'end=$((SECONDS+4)); while [ $SECONDS -lt $end ]; do for n in conf swap .mcp.json evil; do rm -rf $n; ln -s ../outside $n; rm -f $n; ln -s ../home/.ssh $n; rm -f $n; mkdir -p $n/inner; echo x > $n/inner/token; done; done',
      { background: true },
    );
    let output = '';
    for (let round = 0; round < 12; round++) {
      output += (
        await project.run(
          'echo x > swap/victim.txt; echo x > conf/victim.txt; echo x > evil/authorized_keys; cat swap/id_ed25519 conf/id_ed25519; cat conf/inner/token; true',
        )
      ).output;
    }
    output += (await swapping).output;
    // the folder around a denied file is the project's own
    const own = Object.entries(project.state()).filter(([name]) => name in before || !name.startsWith('project/conf/'));
    expect(Object.fromEntries(own)).toEqual(before);
    expect(output).not.toContain(SECRET);
  });
});

describe.skipIf(missing !== null)('a worktree', () => {
  const asWorktree = ({ base, project, outside }: { base: string; project: string; outside: string }) => {
    execFileSync('rm', ['-rf', project]);
    const main = path.join(outside, 'main');
    mkdirSync(main);
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        stdio: 'pipe',
      });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    git('worktree', 'add', '-q', project);
    expect(base).toBeTruthy();
  };

  it('takes commits, and its repository no programs', async () => {
    await using project = await sandboxProject({ prepare: asWorktree });
    const main = path.join(project.outside, 'main/.git');
    const config = readFileSync(path.join(main, 'config'), 'utf8');
    const { output } = await project.run(
      `echo a > a && git add a && git commit -qm two && git log --oneline | wc -l; echo x >> ${main}/config; echo x > ${main}/hooks/pre-commit; echo ../evil > ${main}/worktrees/project/commondir; echo x > ${main}/../file`,
    );
    expect(output).toMatch(/^2\n|\n2\n/);
    expect(readFileSync(path.join(main, 'config'), 'utf8')).toBe(config);
    expect(existsSync(path.join(main, 'hooks/pre-commit'))).toBe(false);
    expect(existsSync(path.join(main, '../file'))).toBe(false);
    expect(readFileSync(path.join(main, 'worktrees/project/commondir'), 'utf8')).toBe('../..\n');
  });

  it('that only says so opens no repository', async () => {
    const prepare = (places: { base: string; project: string; outside: string }) => {
      asWorktree(places);
      const other = path.join(places.outside, 'main/.git/worktrees/project/gitdir');
      writeFileSync(other, '/somewhere/else/.git\n');
    };
    await using project = await sandboxProject({ prepare });
    await project.run('echo x > $OUT/main/.git/made');
    expect(existsSync(path.join(project.outside, 'main/.git/made'))).toBe(false);
  });
});

describe.skipIf(missing !== null)('settings', () => {
  it('open a folder for writing and shut one in it', async () => {
    const filesystem = { ...NO_SANDBOX.filesystem, allowWrite: ['../outside'], denyWrite: ['../outside/folder'] };
    await using project = await sandboxProject({ settings: { filesystem } });
    await project.run('echo x > $OUT/victim.txt; echo x > $OUT/folder/inner.txt');
    expect(readFileSync(path.join(project.outside, 'victim.txt'), 'utf8')).toBe('x\n');
    expect(readFileSync(path.join(project.outside, 'folder/inner.txt'), 'utf8')).toBe('untouched');
  });

  it('shut the home and open one file in it', async () => {
    const filesystem = { ...NO_SANDBOX.filesystem, denyRead: ['~/'], allowRead: ['~/.bashrc'] };
    await using project = await sandboxProject({ settings: { filesystem } });
    expect((await project.run('cat ~/.bashrc; ls -A ~')).output).toBe('untouched.bashrc');
  });

  it('give a credential file back by its very name', async () => {
    const filesystem = { ...NO_SANDBOX.filesystem, allowRead: ['~/.npmrc'] };
    await using project = await sandboxProject({ settings: { filesystem } });
    const { output } = await project.run('cat ~/.npmrc; cat ~/.netrc');
    expect(output).toBe(`${SECRET}-.npmrc`);
  });

  it('shut by wildcards, hide variables and credential files', async () => {
    const filesystem = { ...NO_SANDBOX.filesystem, denyRead: ['./src/*.js'] };
    const settings = { filesystem, secretVariables: ['GIT_AUTHOR_NAME'], secretFiles: ['~/.bashrc'] };
    await using project = await sandboxProject({ settings });
    const { output } = await project.run('cat src/a.js; cat ~/.bashrc; echo "[$GIT_AUTHOR_NAME]"');
    expect(output).toContain('src/a.js: Permission denied');
    expect(output).toContain('.bashrc: Permission denied');
    expect(output).toContain('[]');
  });

  it('let a named command out, alone and as a whole', async () => {
    await using project = await sandboxProject({ settings: { excludedCommands: ['touch'] } });
    await project.run(`touch ${project.outside}/one`);
    await project.run(`touch ${project.outside}/two; true`);
    await project.run(`touch ${project.outside}/$(echo three)`);
    await project.run(`touch ${project.outside}/four > ${project.outside}/five`);
    expect(readdirSync(project.outside).filter((name) => /^(one|two|three|four|five)$/.test(name))).toEqual(['one']);
  });

  it('open one unix socket', async () => {
    const network = { ...NO_SANDBOX.network, allowUnixSockets: [] as string[] };
    await using project = await sandboxProject({
      settings: { network },
      prepare: ({ outside }) => network.allowUnixSockets.push(path.join(outside, 'agent.sock')),
    });
    await project.run(
      'curl -s --max-time 2 --unix-socket $OUT/agent.sock http://x/; curl -s --max-time 2 --unix-socket ~/.docker/run/docker.sock http://x/',
    );
    expect(project.state().hits).toBe('unix');
  });
});

describe.skipIf(missing !== null || !hasProgram('curl'))('an allowed domain', () => {
  async function webServer() {
    const seen: string[] = [];
    const server = http.createServer((request, response) => {
      seen.push(`${request.method} ${request.headers.host} ${request.url}`);
      response.end('page');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    return { port, seen, [Symbol.asyncDispose]: () => new Promise<void>((closed) => server.close(() => closed())) };
  }
  const allowing = (...allowedDomains: string[]) => ({ network: { ...NO_SANDBOX.network, allowedDomains } });

  it('is reached by plain HTTP and by a tunnel, others are refused', async () => {
    await using server = await webServer();
    await using project = await sandboxProject({ settings: allowing('localhost') });
    // curl asks no proxy for the loopback unless it is made to
    const curl = 'curl -sS --max-time 5 --noproxy ""';
    const { output } = await project.run(
      `${curl} http://localhost:${server.port}/a; echo; ${curl} -p http://localhost:${server.port}/b; echo; ${curl} http://127.0.0.1:${server.port}/c; ${curl} -p http://127.0.0.1:${server.port}/d; ${curl} http://example.com/`,
    );
    expect(server.seen).toEqual([`GET localhost:${server.port} /a`, `GET localhost:${server.port} /b`]);
    expect(output).toContain('page\npage\nThe sandbox refuses a connection to 127.0.0.1');
    expect(output).toContain('refuses a connection to example.com: add it to sandbox.network.allowedDomains');
    expect(project.state().hits).toBe('');
  });

  it('keeps the exit code of a command, its output and its end', async () => {
    await using project = await sandboxProject({ settings: allowing('localhost') });
    const { output } = await project.run('echo out; echo err >&2; cd src; exit 7');
    expect(output).toContain('Exit code 7');
    expect((await project.run('pwd; kill -9 $$')).output).toMatch(/project\/src/);
    expect((await project.run('setsid bash -c "exec -a daemon-$MARK sleep 300" & sleep 0.1')).failed).toBe(false);
    await expect.poll(() => project.state().daemons).toBe('');
  });

  it('sends no header that names another host', async () => {
    await using server = await webServer();
    await using project = await sandboxProject({ settings: allowing('localhost') });
    await project.run(`curl -s --noproxy "" -H "Host: inner.example.com" http://localhost:${server.port}/x`);
    expect(server.seen).toEqual([`GET localhost:${server.port} /x`]);
  });
});

describe.skipIf(missing !== null || process.getuid?.() !== 0)('for another user', () => {
  it('holds as it does for a root', async () => {
    // the folders of this repository may not be open to others
    const folder = execFileSync('mktemp', ['-d', '/var/tmp/stopgate-user-XXXXXX'], { encoding: 'utf8' }).trim();
    chmodSync(folder, 0o777);
    try {
      const script = `cd ${folder} && mkdir p && bwrap --unshare-user --unshare-pid --unshare-net --cap-drop ALL --disable-userns --ro-bind / / --proc /proc --dev /dev --bind ${folder}/p ${folder}/p --remount-ro /proc sh -c 'echo x > p/in; echo x > out'; ls p; ls`;
      const said = execFileSync('setpriv', ['--reuid', '65534', '--clear-groups', 'sh', '-c', script], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
      expect(said).toBe('in\np\n');
    } finally {
      execFileSync('rm', ['-rf', folder]);
    }
  });
});
