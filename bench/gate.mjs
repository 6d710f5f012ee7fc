import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { cacheFolder, REPOSITORY } from './lib/cache.mjs';
import { goal, row } from './lib/report.mjs';

export const bench = {
  name: 'gate',
  about:
    'ms of a session start (freeze, state of the files) and of stops in a repository of 50,000 files, beside git status',
  run,
};

const HOOK = path.join(REPOSITORY, 'dist/hook.cjs');
const FOLDERS = 500;
const FILES_EACH = 100;
const CONFIG = { checks: [{ name: 'check', command: 'sh check.sh' }], protect: ['folder-1*/**'] };
/** Of one reading of the files; a stop that runs a check reads them before and after it. */
const LIMIT = 1.2;

async function run({ quick }) {
  const project = makeRepository();
  const home = mkdtempSync(path.join(tmpdir(), 'stopgate-bench-'));
  try {
    return reportOf(await measure({ project, home, rounds: quick ? 5 : 25 }));
  } finally {
    rmSync(home, { recursive: true, force: true });
    change(project, '');
  }
}

/** Made once; in a temporary place first, so that an interrupted one does not look complete. */
function makeRepository() {
  const project = path.join(cacheFolder('gate'), `repository-${FOLDERS * FILES_EACH}`);
  if (existsSync(project)) return project;
  console.error(`creating a repository of ${FOLDERS * FILES_EACH} files in ${project}`);
  const partial = `${project}.${process.pid}`;
  const write = (name, text) => {
    mkdirSync(path.dirname(path.join(partial, name)), { recursive: true });
    writeFileSync(path.join(partial, name), text);
  };
  const line = 'export const answer = 42; // a line of code\n';
  for (let folder = 0; folder < FOLDERS; folder++) {
    for (let file = 0; file < FILES_EACH; file++) {
      write(`folder-${folder}/file-${file}.js`, `// ${folder} ${file}\n${line.repeat(1 + ((folder + file) % 40))}`);
    }
  }
  write('stopgate.config.json', JSON.stringify(CONFIG));
  write('check.sh', 'test -e folder-0/file-0.js\n');
  write('changing.txt', '');
  write('.gitignore', 'ignored/\n*.log\n');
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@c', ...args], { cwd: partial });
  git('init', '--quiet');
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  for (let n = 0; n < 20; n++) {
    write(`untracked/new-${n}.js`, line);
    write(`ignored/made-${n}.js`, line);
    write(`folder-${n}/new.js`, line);
    write(`folder-${n}/some.log`, line);
  }
  renameSync(partial, project);
  execFileSync('git', ['status', '--porcelain'], { cwd: project });
  return project;
}

const change = (project, text) => writeFileSync(path.join(project, 'changing.txt'), text);

async function measure({ project, home, rounds }) {
  const env = { PATH: process.env.PATH, HOME: home, STOPGATE_HOME: home, STOPGATE_TRUST_PROJECT: '1' };
  const timed = (file, args, input) => timeOf({ file, args, input, cwd: project, env });
  const hook = (event, session) =>
    timed(
      process.execPath,
      [HOOK, 'hook', event],
      JSON.stringify({ session_id: session, cwd: project, source: 'startup' }),
    );
  // the first start of a worktree reads every file, the next ones only what was touched since
  const first = (await hook('session-start', 'first')).ms;
  change(project, 'first\n');
  const samples = { git: [], node: [], start: [], unchanged: [], changed: [], first: [first] };
  for (let round = 0; round < rounds; round++) {
    const session = `session-${round}`;
    samples.git.push((await timed('git', ['status', '--porcelain'])).ms);
    samples.node.push((await timed(process.execPath, ['-e', '0'])).ms);
    samples.start.push((await hook('session-start', session)).ms);
    samples.unchanged.push(allowed(await hook('stop', session)));
    // not restored: the next session begins with it, and a file that is as committed again would have to be recorded
    change(project, `${session}\n`);
    samples.changed.push(allowed(await hook('stop', session)));
  }
  return samples;
}

/** A stop that failed would be fast. */
function allowed({ ms, output }) {
  if (output.trim() !== '') throw new Error(`a stop was not simply allowed: ${output}`);
  return ms;
}

/** From the spawn to the exit, as a host sees it. */
function timeOf({ file, args, input = '', cwd, env }) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        if (file !== 'git') output += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve({ ms: performance.now() - startedAt, output });
      else reject(new Error(`${file} ${args.join(' ')} exited ${code}: ${output}`));
    });
  });
}

function reportOf({ git, node, start, unchanged, changed, first }) {
  const inside = (samples) => samples.map((ms, round) => ms - node[round]);
  const status = 'git status';
  const whole = (what, ours, theirs) =>
    row(what, 'ms', { 'whole process': ours, 'without node -e 0': inside(ours), [status]: theirs });
  const goals = (what, { ours, theirs, limit = LIMIT }) => [
    goal(`${what}, whole process, × ${status}`, { ours, theirs, limit }),
    goal(`${what}, work inside, × ${status}`, { ours: inside(ours), theirs, limit }),
  ];
  return {
    rows: [
      whole('a session start', start, git),
      whole('a stop, nothing changed', unchanged, git),
      whole('a stop, one file changed, its check run', changed, git),
      row('the first session start ever', 'ms', { 'whole process': first, 'node -e 0': node }),
    ],
    goals: [
      ...goals('a session start', { ours: start, theirs: git }),
      ...goals('a stop, nothing changed', { ours: unchanged, theirs: git }),
      ...goals('a stop, one file changed', { ours: changed, theirs: git, limit: 2 * LIMIT }),
    ],
    notes: [
      `A repository of ${FOLDERS * FILES_EACH} tracked files with 40 untracked and 40 ignored ones, one check, and a fifth of the files protected; interleaved.`,
      'A session start freezes the definition of done and reads the state of the files. The check of a changed file runs between two readings of that state.',
    ],
  };
}
