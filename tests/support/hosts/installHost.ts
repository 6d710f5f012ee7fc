import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../installOnce.ts';
import { HOST_PACKAGES, type HostName, type HostRelease } from './hostPackages.ts';

const INSTALL_LIMIT_MS = 5 * 60_000;

export type InstalledHost =
  | { readonly type: 'installed'; readonly version: string; readonly program: readonly string[] }
  | { readonly type: 'missing'; readonly version: string; readonly reason: string };

export type HostAge = 'newest' | 'older';

/**
 * The real program of an agent, installed once, outside of the repository. Of several processes that want it, one installs
 * and the others wait.
 */
export async function installHost(name: HostName, age: HostAge = 'newest'): Promise<InstalledHost> {
  const release = HOST_PACKAGES[name][age];
  const missing = (reason: string) => ({ type: 'missing', version: release.version, reason }) as const;
  if (process.env.STOPGATE_SKIP_HOSTS === '1') return missing('STOPGATE_SKIP_HOSTS is 1.');
  const prefix = path.join(cacheFolder(), `${name}-${release.version}`);
  // null means that nothing went wrong
  const why = await installOnce<{ readonly reason: string | null }>({
    lock: `${prefix}.lock`,
    limitMs: INSTALL_LIMIT_MS,
    find: () => (isInstalled(release, prefix) ? { reason: null } : null),
    install: async () => ({ reason: await install(release, prefix) }),
    late: (holder) => ({ reason: `${nameOf(release)}: process ${holder} did not install it in 5 minutes.` }),
  });
  if (why.reason !== null) return missing(why.reason);
  const program = HOST_PACKAGES[name].program(path.join(prefix, 'node_modules'), release);
  if (program) return { type: 'installed', version: release.version, program };
  return missing(`${nameOf(release)} has no program for ${process.platform}-${process.arch} in ${prefix}.`);
}

/** Where the tests install programs and packages of others. */
export function cacheFolder(): string {
  const folder = process.env.STOPGATE_TEST_CACHE || path.join(homedir(), '.cache', 'stopgate-tests');
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** In a temporary place first, so that an interrupted install does not look complete. */
async function install(release: HostRelease, prefix: string): Promise<string | null> {
  const partial = `${prefix}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  try {
    process.stderr.write(`installing ${nameOf(release)} for tests\n`);
    writeFileSync(path.join(partial, 'package.json'), '{"private":true}');
    await npmInstall(partial, release.needs ?? [nameOf(release)]);
    if (release.needs) await unpack(release, partial);
    rmSync(prefix, { recursive: true, force: true });
    renameSync(partial, prefix);
    return null;
  } catch (error) {
    return `${nameOf(release)} could not be installed (${firstLine(error)}).`;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

const run = (cwd: string, file: string, ...args: readonly string[]) =>
  promisify(execFile)(file, args, { cwd, timeout: INSTALL_LIMIT_MS, env: outsideOfNpm() });

/** Install scripts fetch from elsewhere or compile; no agent needs its own here. */
const FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1'];

const npmInstall = (folder: string, packages: readonly string[]) =>
  run(folder, 'npm', 'install', '--prefix', folder, ...FLAGS, ...packages);

/** The package alone, without its dependencies. */
async function unpack(release: HostRelease, folder: string): Promise<void> {
  const place = path.join(folder, 'node_modules', release.packageName);
  mkdirSync(place, { recursive: true });
  const { stdout } = await run(folder, 'npm', 'pack', ...FLAGS, nameOf(release));
  const archive = path.join(folder, stdout.trim());
  await run(place, 'tar', '-xzf', archive, '--strip-components=1');
  rmSync(archive);
}

const nameOf = ({ packageName, version }: HostRelease) => `${packageName}@${version}`;

function isInstalled({ packageName, version }: HostRelease, prefix: string): boolean {
  try {
    const file = path.join(prefix, 'node_modules', packageName, 'package.json');
    return JSON.parse(readFileSync(file, 'utf8')).version === version;
  } catch {
    return false;
  }
}

/** Under `npm run`, npm's own variables would make the inner npm use this package. */
const outsideOfNpm = () =>
  Object.fromEntries(Object.entries(process.env).filter(([variable]) => !variable.startsWith('npm_')));

function firstLine(error: unknown): string {
  const { stderr, message } = error as { stderr?: string; message: string };
  return (stderr || message).split('\n').find((line) => line.trim() !== '') ?? 'no reason given';
}
