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
    const rounds = quick ? 5 : 25;
    const whole = await measure({ project, home, rounds });
    return reportOf(whole, insideOf({ project, home, rounds }));
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

const INSIDE = path.join(REPOSITORY, 'bench/gate/inside.ts');

/** The same without a start of Node; the first round still compiles. */
function insideOf({ project, home, rounds }) {
  const args = [INSIDE, project, home, String(rounds + 1)];
  const samples = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 300_000 }));
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, all.slice(1)]));
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

function reportOf({ git, start, unchanged, changed, node, first }, inside) {
  const status = 'git status';
  const whole = (what, ours) => row(`${what}, in a hook`, 'ms', { 'whole process': ours, [status]: git });
  const within = (what, ours) => row(`${what}, in our own agent`, 'ms', { inside: ours, [status]: inside.git });
  const against = (what, ours, limit = LIMIT) =>
    goal(`${what}, in our own agent, × ${status}`, { ours, theirs: inside.git, limit });
  return {
    rows: [
      within('the state of the files', inside.fingerprint),
      within('a session start', inside.start),
      within('a stop, nothing changed', inside.unchanged),
      within('a stop, one file changed, its check run', inside.changed),
      whole('a session start', start),
      whole('a stop, nothing changed', unchanged),
      whole('a stop, one file changed, its check run', changed),
      row('the first session start ever', 'ms', { 'whole process': first, 'node -e 0': node }),
    ],
    goals: [
      against('the state of the files', inside.fingerprint),
      against('a session start', inside.start),
      against('a stop, nothing changed', inside.unchanged),
      against('a stop, one file changed', inside.changed, 2 * LIMIT),
    ],
    notes: [
      `A repository of ${FOLDERS * FILES_EACH} tracked files with 40 untracked and 40 ignored ones, one check, and a fifth of the files protected; interleaved.`,
      'A session start freezes the definition of done and reads the state of the files. The check of a changed file runs between two readings of that state.',
    ],
  };
}
