import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { clockShim, whyNoShim } from '../support/clockShim.ts';
import { type TestProject, testProject } from '../support/project.ts';
import { sampleOf } from '../support/testSize.ts';

type Repository = TestProject & {
  git(...args: string[]): string;
  /** Runs an agent that is a script, and returns the id of what was kept. */
  keep(script: string): Promise<string>;
};

async function repository(): Promise<Repository> {
  const project = await testProject();
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, encoding: 'utf8', stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@b');
  for (const name of ['a.txt', 'b.txt', 'folder/c.txt', 'run.sh']) project.write(name, `${name}\n`);
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  const keep = async (script: string) => {
    const file = project.write('../agent', `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    const { lines, stderr } = await project.run([
      'launch',
      '--time-budget',
      '20m',
      '--json',
      '--agent',
      file,
      '--',
      'x',
    ]);
    expect(lines[0]?.kept, stderr).toMatchObject({ type: 'kept' });
    return lines[0].id as string;
  };
  return Object.assign(project, { git, keep });
}

const forget = ({ git }: Repository) => {
  git('reset', '-q', '--hard');
  git('clean', '-q', '-fd');
};

describe('stopgate restore', () => {
  it('brings back what was kept and leaves everything that came later', async () => {
    await using project = await repository();
    const id = await project.keep(
      'echo agent > a.txt; rm b.txt; echo new > new.txt; chmod +x run.sh; ln -s a.txt link',
    );
    forget(project);
    project.write('committed.txt', 'committed since\n');
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'later');
    project.write('folder/c.txt', 'edited since\n');
    project.write('untracked.txt', 'made since\n');
    project.write('staged.txt', 'staged\n');
    project.git('add', 'staged.txt');
    const index = readFileSync(path.join(project.dir, '.git/index'));
    const { code, stdout } = await project.run(['restore', id]);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/^ {2}M {2}a\.txt {2}\+1 -1$/m);
    expect(stdout).toMatch(
      /^Restored 5 files of [0-9a-f]{8}\.\nundo {2}stopgate restore before-restore-[0-9a-f]{8}\n$/m,
    );
    expect([project.read('a.txt'), project.read('new.txt')]).toEqual(['agent\n', 'new\n']);
    expect(existsSync(path.join(project.dir, 'b.txt'))).toBe(false);
    expect(statSync(path.join(project.dir, 'run.sh')).mode & 0o111).not.toBe(0);
    expect(readlinkSync(path.join(project.dir, 'link'))).toBe('a.txt');
    expect(project.read('committed.txt')).toBe('committed since\n');
    expect(project.read('folder/c.txt')).toBe('edited since\n');
    expect(project.read('untracked.txt')).toBe('made since\n');
    expect(readFileSync(path.join(project.dir, '.git/index')).equals(index)).toBe(true);
    // undone by the command that was printed
    const [, undo = ''] = /^undo {2}stopgate restore (\S+)$/m.exec(stdout) ?? [];
    expect((await project.run(['restore', undo])).code).toBe(0);
    expect([project.read('a.txt'), project.read('b.txt')]).toEqual(['a.txt\n', 'b.txt\n']);
    expect(existsSync(path.join(project.dir, 'new.txt'))).toBe(false);
    expect(project.read('folder/c.txt')).toBe('edited since\n');
  });

  it('names and leaves alone what changed since, unless it is named or forced; its content is kept', async () => {
    await using project = await repository();
    const id = await project.keep('echo agent > a.txt; echo agent > b.txt; rm folder/c.txt');
    forget(project);
    project.write('a.txt', 'precious\n');
    project.write('folder/c.txt', 'precious too\n');
    const first = await project.run(['restore', id]);
    expect(first.code).toBe(1);
    expect(first.stdout).toContain('left alone  a.txt: it changed since');
    expect(first.stdout).toContain('left alone  folder/c.txt: it changed since');
    expect([project.read('a.txt'), project.read('b.txt')]).toEqual(['precious\n', 'agent\n']);
    const named = await project.run(['restore', id, '--json', '--', 'a.txt']);
    expect([named.code, project.read('a.txt'), project.read('folder/c.txt')]).toEqual([0, 'agent\n', 'precious too\n']);
    const undo = named.lines[0].undo.split(' ').at(-1);
    expect(project.git('show', `refs/stopgate/wip/${undo}:a.txt`)).toBe('precious\n');
    const forced = await project.run(['restore', id, '--force', '--json']);
    expect([forced.code, existsSync(path.join(project.dir, 'folder'))]).toEqual([0, false]);
    expect(project.git('show', `refs/stopgate/wip/${forced.lines[0].undo.split(' ').at(-1)}:folder/c.txt`)).toBe(
      'precious too\n',
    );
    // a folder limits, but does not overwrite
    project.write('folder/c.txt', 'again\n');
    expect((await project.run(['restore', id, '--', 'folder'])).code).toBe(1);
    expect(project.read('folder/c.txt')).toBe('again\n');
  });

  it('shows without changing anything: --dry-run, --diff', async () => {
    await using project = await repository();
    const id = await project.keep('echo agent >> a.txt; printf "\\0\\1" > binary');
    forget(project);
    const refs = project.git('for-each-ref');
    const { code, stdout } = await project.run(['restore', id, '--dry-run', '--diff']);
    expect([code, project.read('a.txt'), project.git('for-each-ref')]).toEqual([0, 'a.txt\n', refs]);
    expect(stdout).toContain('+agent\n');
    expect(stdout).toContain('  A  binary  (binary)\n');
    expect(stdout).toContain(`Would restore 2 files of ${id}; nothing was changed.`);
    const { lines } = await project.run(['restore', id, '--dry-run', '--json']);
    expect(lines[0]).toMatchObject({
      outcome: 'dryRun',
      undo: null,
      files: [{ path: 'a.txt', added: 1, removed: 0 }, {}],
    });
  });

  it('lists what is kept, from a sub-folder and from a linked worktree, or says that nothing is', async () => {
    await using project = await repository();
    expect((await project.run(['restore'])).stdout).toMatch(/^Nothing is kept in /);
    expect((await project.run(['restore', '--json'])).stdout).toBe('[]\n');
    const id = await project.keep(
      'echo agent > a.txt; echo staged > b.txt; git add b.txt; echo file > b.txt; mkdir empty',
    );
    const linked = path.join(project.dir, '../linked');
    project.git('worktree', 'add', '-q', linked);
    const listed = { id, files: 2, from: `launch ${id} of agent`, stage: 'at its end', branch: 'main' };
    for (const cwd of [project.dir, path.join(project.dir, 'folder'), linked]) {
      const bin = path.join(import.meta.dirname, '../../bin/stopgate.js');
      const env = { PATH: process.env.PATH ?? '', HOME: project.home };
      const stdout = execFileSync(process.execPath, [bin, 'restore', '--json'], { cwd, env, encoding: 'utf8' });
      expect(JSON.parse(stdout)).toMatchObject([listed]);
    }
    const { stdout } = await project.run(['restore']);
    expect(stdout).toMatch(/^ID +KEPT +FILES +BRANCH +BASE +FROM\n/);
    expect(stdout).toMatch(
      new RegExp(`^${id} +(just now|\\d+.*ago) +2 +main +[0-9a-f]{10} +launch ${id} of agent`, 'm'),
    );
    // the staged version and the empty folder are not lost
    forget(project);
    rmSync(path.join(project.dir, 'empty'), { recursive: true, force: true });
    const { lines } = await project.run(['restore', id, '--json']);
    expect(lines[0].staged).toMatchObject([{ path: 'b.txt' }]);
    expect(project.git(...lines[0].staged[0].command.split(' ').slice(1))).toBe('staged\n');
    expect(project.read('b.txt')).toBe('file\n');
    expect(statSync(path.join(project.dir, 'empty')).isDirectory()).toBe(true);
  });

  it('refuses what is no kept state, not in it or outside of the repository, each in a sentence', async () => {
    await using project = await repository();
    const id = await project.keep('echo agent > a.txt');
    for (const [args, sentence] of [
      [['nope'], 'There is no kept state "nope"'],
      [[id, '--', 'nowhere.txt'], 'did not change nowhere.txt'],
      [[id, '--', '../x'], 'is outside the repository'],
      [[`${id}~3`], 'has 0 earlier states, not 3'],
    ] as const) {
      const { code, stderr } = await project.run(['restore', ...args]);
      expect([code, stderr.trim().split('\n').length], stderr).toEqual([2, 1]);
      expect(stderr).toContain(sentence);
    }
  });

  it('says in one sentence that there is no repository', async () => {
    await using project = await testProject();
    const { code, stderr, stdout } = await project.run(['restore']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^stopgate: Nothing can be restored here: .* is not in a git repository\.\n$/);
  });

  it('never touches ignored files, files behind links, or folders with other files', async () => {
    await using project = await repository();
    const id = await project.keep('echo agent > out.log; mkdir sub; echo agent > sub/f; echo agent > was-file');
    forget(project);
    project.write('.gitignore', '*.log\n');
    project.write('out.log', 'mine, ignored\n');
    mkdirSync(path.join(project.dir, '../elsewhere'));
    symlinkSync('../elsewhere', path.join(project.dir, 'sub'));
    project.write('was-file/inside', 'mine\n');
    const { code, lines } = await project.run(['restore', id, '--force', '--json']);
    expect(code).toBe(1);
    expect(lines[0]).toMatchObject({
      files: [],
      refused: [{ path: 'out.log' }, { path: 'sub/f' }, { path: 'was-file' }],
    });
    expect(project.read('out.log')).toBe('mine, ignored\n');
    expect(readdirSync(path.join(project.dir, '../elsewhere'))).toEqual([]);
    expect(lstatSync(path.join(project.dir, 'was-file')).isDirectory()).toBe(true);
  });

  it('turns folders into files and back, with names that no text can hold', async () => {
    await using project = await repository();
    const id = await project.keep(
      'rm -r folder; echo f > folder; rm a.txt; mkdir a.txt; echo in > a.txt/in; echo odd > "$(printf "caf\\351\\nx")"',
    );
    forget(project);
    const { code, stdout } = await project.run(['restore', id]);
    expect(code, stdout).toBe(0);
    expect([project.read('folder'), project.read('a.txt/in')]).toEqual(['f\n', 'in\n']);
    const odd = Buffer.concat([Buffer.from(`${project.dir}/`), Buffer.from('caf\xe9\nx', 'latin1')]);
    expect(readFileSync(odd, 'utf8')).toBe('odd\n');
    const [, undo = ''] = /^undo {2}stopgate restore (\S+)$/m.exec(stdout) ?? [];
    expect((await project.run(['restore', undo])).code).toBe(0);
    expect([project.read('folder/c.txt'), project.read('a.txt'), existsSync(odd)]).toEqual([
      'folder/c.txt\n',
      'a.txt\n',
      false,
    ]);
  });

  it('keeps who may read a file, and names submodules without touching them', async () => {
    await using project = await repository();
    const inner = path.join(project.dir, '../inner');
    execFileSync('git', ['clone', '-q', project.dir, inner]);
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'lib');
    project.git('commit', '-q', '-m', 'with a submodule');
    chmodSync(path.join(project.dir, 'a.txt'), 0o600);
    const id = await project.keep(
      'echo agent > a.txt; cd lib; echo inner > b.txt; git -c user.name=a -c user.email=a@b commit -q --allow-empty -m moved',
    );
    project.git('checkout', '-q', 'a.txt');
    chmodSync(path.join(project.dir, 'a.txt'), 0o600);
    project.git('submodule', '--quiet', 'update');
    const head = project.git('-C', 'lib', 'rev-parse', 'HEAD');
    const { lines } = await project.run(['restore', id, '--json']);
    expect(lines[0]).toMatchObject({ files: [{ path: 'a.txt' }], submodules: [{ path: 'lib' }] });
    expect(lines[0].inside).toEqual([{ path: 'lib', command: `cd lib && stopgate restore ${id}` }]);
    expect(project.git('-C', 'lib', 'show', `refs/stopgate/wip/${id}:b.txt`)).toBe('inner\n');
    expect(project.git('-C', 'lib', 'rev-parse', 'HEAD')).toBe(head);
    expect(statSync(path.join(project.dir, 'a.txt')).mode & 0o777).toBe(0o600);
  });

  it('brings back what an agent wrote into a file that it dropped from git and ignored', async () => {
    await using project = await repository();
    const id = await project.keep(
      'git rm -q --cached a.txt; echo a.txt > .gitignore; git add .gitignore; git commit -qm drop; echo AGENTS-WORK > a.txt; chmod 600 a.txt',
    );
    expect(project.git('show', `refs/stopgate/wip/${id}:a.txt`)).toBe('AGENTS-WORK\n');
    rmSync(path.join(project.dir, 'a.txt'));
    expect((await project.run(['restore', id])).code).toBe(0);
    expect(project.read('a.txt')).toBe('AGENTS-WORK\n');
    expect(statSync(path.join(project.dir, 'a.txt')).mode & 0o777).toBe(0o600);
  });

  it('changes nothing when a file cannot be written, and says why', async () => {
    await using project = await repository();
    const id = await project.keep('echo agent > a.txt; echo other > folder/c.txt');
    forget(project);
    // an object that is gone stands for a full disk: not every file can be written aside
    const object = project.git('rev-parse', `refs/stopgate/wip/${id}:folder/c.txt`).trim();
    rmSync(path.join(project.dir, '.git/objects', object.slice(0, 2), object.slice(2)));
    const { code, stdout } = await project.run(['restore', id]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Nothing was changed: .+\./);
    expect([project.read('a.txt'), project.read('folder/c.txt')]).toEqual(['a.txt\n', 'folder/c.txt\n']);
  });

  it('puts everything back after Ctrl-C', async () => {
    await using project = await repository();
    const names = Array.from({ length: 200 }, (_, index) => `many/${index}.txt`);
    for (const name of names) project.write(name, 'before\n');
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'many');
    const id = await project.keep('for f in many/*; do echo agent > $f; done');
    forget(project);
    const run = project.start(['restore', id]);
    await new Promise<void>((resolve) => {
      const staged = path.join(project.dir, '.git/stopgate-restore/old/w0');
      const look = () => (existsSync(staged) ? resolve() : setTimeout(look, 1));
      look();
    });
    run.child.kill('SIGINT');
    const { code, stdout } = await run.ended;
    expect(code).toBe(130);
    const restored = names.filter((name) => project.read(name) === 'agent\n').length;
    // the last moves may have been quicker than the signal
    expect([0, names.length]).toContain(restored);
    if (restored === 0) expect(stdout).toContain('Nothing was changed: it was interrupted.');
    expect(existsSync(path.join(project.dir, '.git/stopgate-restore'))).toBe(false);
  });

  it('can be completed or undone after kill -9', async () => {
    await using project = await repository();
    const names = Array.from({ length: 200 }, (_, index) => `many/${index}.txt`);
    for (const name of names) project.write(name, 'before\n');
    project.git('add', '-A');
    project.git('commit', '-q', '-m', 'many');
    const id = await project.keep('for f in many/*; do echo agent > $f; done');
    forget(project);
    // between two moves a file is not there
    const isRestored = (name: string) => existsSync(path.join(project.dir, name)) && readNow(name) === 'agent\n';
    const readNow = (name: string) => {
      try {
        return project.read(name);
      } catch {
        return undefined;
      }
    };
    const restored = () => names.filter(isRestored).length;
    for (const wayOut of ['again', 'undo']) {
      const run = project.start(['restore', id]);
      // killed as soon as the first file is in place, in the midst of the others
      await new Promise<void>((resolve) => {
        const look = () => (isRestored('many/0.txt') ? resolve() : setTimeout(look, 1));
        look();
      });
      run.child.kill('SIGKILL');
      await run.ended;
      const done = restored();
      expect(done).toBeGreaterThan(0);
      // the last moves may have been quicker than the signal
      if (done === names.length && !existsSync(path.join(project.dir, '.git/stopgate-restore'))) {
        forget(project);
        continue;
      }
      const { stderr } = await project.run(['restore']);
      const [, again = '', undo = ''] =
        /A restore did not finish\. To complete it: stopgate restore (\S+)\. To undo it: stopgate restore (\S+)\./.exec(
          stderr,
        ) ?? [];
      const { code, stdout } = await project.run(['restore', wayOut === 'again' ? again : undo]);
      expect(code, stdout).toBe(0);
      expect(restored()).toBe(wayOut === 'again' ? names.length : 0);
      expect(existsSync(path.join(project.dir, '.git/stopgate-restore'))).toBe(false);
      forget(project);
    }
  });
});

describe('old kept work', () => {
  it.each(sampleOf(['{"keepWork":"forever",}', '{ // mine\n"keepWork":"forever"}'], (text) => !text.includes('mine')))(
    'stays when the settings cannot be read: %s',
    async (settings) => {
      await using project = await repository();
      old(project, 'ancient', 77);
      project.write('../home/.claude/settings.json', settings);
      const { stderr } = await project.run(['launch', '--time-budget', '1m', '--agent', 'true']);
      expect(stderr).toContain('no kept work was removed');
      expect(project.git('for-each-ref', 'refs/stopgate/wip')).toContain('ancient');
    },
  );

  const old = (project: Repository, id: string, days: number) => {
    const date = `@${Math.floor(Date.now() / 1000) - days * 86_400} +0000`;
    const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const options = { cwd: project.dir, encoding: 'utf8', env } as const;
    const commit = execFileSync('git', ['commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'old'], options).trim();
    project.git('update-ref', `refs/stopgate/wip/${id}`, commit);
    return commit;
  };

  /** As if what was announced had been announced yesterday. */
  const aDayLater = (project: Repository) => {
    const folder = path.join(project.home, '.stopgate/kept');
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      const file = path.join(folder, name);
      const text = readFileSync(file, 'utf8').replaceAll(/"ms":\d+/g, '"ms":-100000000');
      writeFileSync(
        file,
        text.replaceAll(/"wall":(\d+)/g, (_, wall) => `"wall":${wall - 86_500_000}`),
      );
    }
  };

  it.skipIf(whyNoShim !== null)('stays when the clock is a year ahead, whatever a launch says then', async () => {
    await using project = await repository();
    const shim = clockShim(project.home);
    const kept = await project.keep('echo agent > a.txt');
    old(project, 'recent', 29);
    const launch = async () => {
      const args = ['launch', '--time-budget', '20m', '--agent', 'true', '--', 'x'];
      const { stderr } = await project.start(args, { env: shim.env }).ended;
      return [stderr, project.git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/stopgate')] as const;
    };
    shim.setTo(365 * 86_400_000);
    for (const said of [
      '1 kept state is older than 30d and will be removed by a launch in a day or later: recent',
      '',
    ]) {
      const [stderr, left] = await launch();
      expect(stderr).toContain(said);
      expect(left.split('\n')).toEqual(expect.arrayContaining([kept, 'recent']));
    }
    shim.setTo(0);
    aDayLater(project);
    const [, left] = await launch();
    expect(left.split('\n')).toEqual(expect.arrayContaining([kept, 'recent']));
  });

  it('is removed by a launch after 30 days, which is said; what is younger stays', async () => {
    await using project = await repository();
    const commit = old(project, 'ancient', 31);
    old(project, 'recent', 29);
    const launch = ['launch', '--time-budget', '20m', '--agent', 'true', '--', 'x'];
    const first = await project.run(launch);
    expect(first.stderr).toContain('1 kept state is older than 30d and will be removed by a launch in a day or later');
    expect(project.git('for-each-ref', 'refs/stopgate')).toContain('ancient');
    expect((await project.run(launch)).stderr).not.toContain('kept state');
    aDayLater(project);
    const { stderr } = await project.run(launch);
    expect(stderr).toContain(`removed 1 kept state older than 30d: ancient (${commit.slice(0, 10)})`);
    expect(project.git('for-each-ref', '--format=%(refname)', 'refs/stopgate')).toBe('refs/stopgate/wip/recent\n');
  });

  const WORDS: readonly (readonly [string, readonly string[], string])[] = [
    ['"60d"', ['ancient', 'recent'], ''],
    ['"2w"', [], 'removed 2 kept states older than 2w'],
    ['"forever"', ['ancient', 'recent'], ''],
    [
      '"soon"',
      ['ancient', 'recent'],
      'keepWork must be a duration such as "30d" or "forever", got "soon"; nothing was removed',
    ],
  ];
  it.each(sampleOf(WORDS, ([value]) => value !== '"60d"'))(
    'follows "keepWork": %s of the user, not of the repository',
    async (value, stay, said) => {
      await using project = await repository();
      old(project, 'ancient', 31);
      old(project, 'recent', 29);
      project.write('.claude/settings.json', '{"keepWork": "1h"}');
      project.write('../home/.claude/settings.json', `{"keepWork": ${value}}`);
      await project.run(['launch', '--time-budget', '20m', '--agent', 'true', '--', 'x']);
      aDayLater(project);
      const { stderr } = await project.run(['launch', '--time-budget', '20m', '--agent', 'true', '--', 'x']);
      const left = project
        .git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/stopgate')
        .split('\n')
        .filter(Boolean);
      expect(left.filter((id) => id === 'ancient' || id === 'recent')).toEqual(stay);
      expect(stderr).toContain(said);
    },
  );
});
