// The gate in a process that is running already, as in our own agent: no start of Node, no loading of code.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openGit } from '../../src/git/git.ts';
import { treeDigest } from '../../src/git/treeDigest.ts';
import { askStop } from '../../src/stop/ask.ts';
import { checksGate } from '../../src/stop/checks/gate.ts';
import { systemClock } from '../../src/system/clock.ts';
import { spawnProcesses } from '../../src/system/spawnProcesses.ts';

const [, , project = '', home = '', rounds] = process.argv;
const env = { PATH: process.env.PATH ?? '', HOME: home, STOPGATE_HOME: home };
const world = {
  ...{ env, stopgateHome: home, clock: systemClock, hostPid: null, trusted: true },
  asker: { name: 'bench', demand: async () => 'question' as const },
  processes: spawnProcesses({ env }),
  signal: new AbortController().signal,
};
const git = openGit({ processes: world.processes, env });
const samples: Record<'git' | 'fingerprint' | 'start' | 'unchanged' | 'changed', number[]> = {
  ...{ git: [], fingerprint: [], start: [], unchanged: [], changed: [] },
};

for (let round = 0; round < Number(rounds); round++) {
  const payload = { session_id: `inside-${round}`, cwd: project, source: 'startup', stop_hook_active: false };
  const stop = async () => {
    const { type, notes } = await askStop(payload, { ...world, deadlineAt: systemClock.now() + 60_000 });
    if (type !== 'pass' || notes.length > 0) throw new Error(`a stop was not simply allowed: ${type} ${notes}`);
  };
  await timed('git', async () => execFileSync('git', ['status', '--porcelain'], { cwd: project, env }));
  await timed('fingerprint', () => treeDigest(git, { folder: project, mirrors: path.join(home, 'mirrors') }));
  await timed('start', () => checksGate.begin(payload, world));
  await timed('unchanged', stop);
  writeFileSync(path.join(project, 'changing.txt'), `inside ${round}\n`);
  await timed('changed', stop);
}
process.stdout.write(JSON.stringify(samples));

async function timed(name: keyof typeof samples, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  await work();
  samples[name].push(performance.now() - startedAt);
}
