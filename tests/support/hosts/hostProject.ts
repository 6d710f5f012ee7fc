import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type TestProject, testProject } from '../project.ts';
import { type DrivenHost, type DriveWish, driveHost } from './driveHost.ts';
import { driverOf } from './drivers/all.ts';
import type { HostName } from './hostPackages.ts';
import type { HostAge } from './installHost.ts';
import { setUpHost } from './setUpHost.ts';

export interface HostCase {
  readonly name: HostName;
  readonly age: HostAge;
}

/** Passes once the agent wrote the file. */
const CONFIG = `${JSON.stringify({ checks: [{ name: 'done-file', command: 'ls done.txt' }] })}\n`;

/** A repository with a check that fails until `done.txt` is there, and a home with the agent's settings of a test. */
export async function hostProject({ name }: HostCase): Promise<TestProject> {
  const project = await testProject();
  // the real address comes with the run
  setUpHost(driverOf(name), { ...project, url: 'http://127.0.0.1:1' });
  project.write('stopgate.config.json', CONFIG);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project.dir, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  appendFileSync(path.join(project.dir, '.git/config'), '[user]\n\tname = a\n\temail = a@b\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  return project;
}

/** `stopgate init` for one host, with everything on. Returns the files that it wrote. */
export async function initHost({ name }: HostCase, project: TestProject): Promise<readonly string[]> {
  const { code, stdout, stderr } = await project.run(['init', '--host', name, '--yes', '--json']);
  if (code !== 0) throw new Error(`init --host ${name}: ${stderr}${stdout}`);
  return [...new Set([...stdout.matchAll(/"file":"([^"]+)"/g)].map(([, file = '']) => file))];
}

type Drive = Omit<DriveWish, 'project' | 'version' | 'prompt'>;

/** The real program, on hooks that `init` wrote and made it trust. */
export const drive = ({ name, age }: HostCase, project: TestProject, wish: Drive): Promise<DrivenHost> =>
  driveHost(name, { prompt: 'Please do it', trusted: true, limitMs: 100_000, ...wish, project, version: age });

/** All that the model was told, without what it said itself. */
export const toldModel = ({ turns }: DrivenHost): string =>
  turns
    .flat()
    .filter(({ role }) => role !== 'call' && role !== 'assistant')
    .map(({ text }) => text)
    .join('\n');

/** The content of every file below a folder, by path; what Stopgate keeps for itself aside. */
export function filesBelow(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const own = names.filter((name) => !/^\.(?:stopgate|git)(?:\/|$)/.test(name));
  return Object.fromEntries(
    own.map((name) => {
      const file = path.join(folder, name);
      return [name, statSync(file).isFile() ? readFileSync(file, 'base64') : 'folder'];
    }),
  );
}
