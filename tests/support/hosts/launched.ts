import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DrivenHost } from './driveHost.ts';
import { driverOf } from './drivers/all.ts';
import type { HostReply } from './hostDriver.ts';
import { drive, filesBelow, type HostCase, hostProject } from './hostProject.ts';
import type { Body } from './model/wire.ts';

export interface LaunchFacts {
  /** The line that `--json` prints. */
  readonly report: Body;
  /** Files of the project that are there or differ after the launch, those of the agent's work aside. */
  readonly traces: readonly string[];
  /** What git would have committed of our hooks. */
  readonly committed: string;
  readonly passes: boolean;
  readonly run: DrivenHost;
}

async function launched(
  host: HostCase,
  script: readonly HostReply[],
  options: readonly string[],
): Promise<LaunchFacts> {
  await using project = await hostProject(host);
  const before = filesBelow(project.dir);
  const { allowed = [] } = driverOf(host.name);
  const words = ['launch', '--agent', host.name, '--time-budget', '5m', '--trust-project', '--json', ...options];
  const run = await drive(host, project, { script, stopgate: [...words, '--', 'Please do it', ...allowed] });
  const after = filesBelow(project.dir);
  const names = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  return {
    report: run.lines.find(({ type }) => type === 'launch_report') ?? {},
    traces: names.filter((name) => !/^(?:work|done)\.txt$/.test(name)),
    committed: execFileSync('git', ['show', '--format=', '--name-only', 'HEAD'], {
      cwd: project.dir,
      encoding: 'utf8',
    }),
    passes: existsSync(path.join(project.dir, 'done.txt')),
    run,
  };
}

/** A launch without an `init`: refused once, then done; it commits everything that git sees. */
export const checkedLaunch = (host: HostCase): Promise<LaunchFacts> =>
  launched(
    host,
    [
      { shell: 'echo 1 > work.txt', usage: { out: 10 } },
      { text: 'I am done.', usage: { out: 20 } },
      { shell: 'echo 2 > done.txt && git add -A && git commit -q -m done', usage: { out: 30 } },
      { text: 'Now it is done.', usage: { out: 40 } },
    ],
    [],
  );

/** Writes more than it may. */
export const limitedLaunch = (host: HostCase): Promise<LaunchFacts> =>
  launched(
    host,
    [
      { text: 'x'.repeat(4_000), shell: 'echo 1 > work.txt', usage: { out: 1_000 } },
      { shell: 'sleep 20', usage: { out: 10 } },
      { text: 'Done.' },
    ],
    ['--no-checks', '--token-budget', '500'],
  );
