import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PermissionContext } from '../../../query/toolUseContext.ts';
import type { SandboxSettings } from '../../../schemas/sandboxSettings.ts';
import { SOCKET_FOLDERS, TEMP_FOLDERS } from '../../../session/sandbox/credentialPlaces.ts';
import { isExcludedCommand } from '../../../session/sandbox/excludedCommand.ts';
import { describeSandbox, explainRefusal } from '../../../session/sandbox/explainRefusal.ts';
import { inspectFiles as inspect } from '../../../session/sandbox/inspectPaths.ts';
import { otherSockets } from '../../../session/sandbox/otherSockets.ts';
import { planMounts } from '../../../session/sandbox/planMounts.ts';
import { sandboxEnvironment } from '../../../session/sandbox/sandboxEnvironment.ts';
import { attempt } from '../../../system/attempt.ts';
import { packageRoot } from '../../../system/packageRoot.ts';
import { type Bubblewrap, bwrapCommand } from '../../../system/sandbox/bwrapCommand.ts';
import type { Mount } from '../../../system/sandbox/mounts.ts';
import { probeBubblewrap } from '../../../system/sandbox/probeBubblewrap.ts';
import { seccompFilter } from '../../../system/sandbox/seccompFilter.ts';
import type { World } from '../../../system/world.ts';
import type { Sandbox, ShellStart } from '../../../tools/bash/sandbox.ts';
import { type FoundSandboxPlaces, sandboxPlaces } from './sandboxPlaces.ts';
import { madeFolders, watchPlaces } from './watchedPlaces.ts';

interface SandboxFacts {
  readonly settings: SandboxSettings;
  readonly permissions: PermissionContext;
  readonly world: World;
  /** The environment of commands, without keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables of hooks for commands, in Stopgate's own folder. */
  readonly envFile: string;
  /** No command may run outside. */
  readonly required: boolean;
  readonly warn: (sentence: string) => void;
}

const PROXY_INSIDE = '/run/stopgate/proxy.sock';
const PROXY_PORT = 3128;

/** The sandbox of a session, prepared before its first command, with its proxy if it has one. */
export async function openSandbox(facts: SandboxFacts) {
  const { settings, permissions, world, warn } = facts;
  const folder = makeSandboxFolder(world.env, warn);
  const open = [world.cwd, ...permissions.additionalDirectories];
  const { processes, env } = world;
  const probe = await probeBubblewrap({ processes, env, filterFile: folder.filterFile, folders: open });
  if (probe.type === 'unavailable') {
    await folder[Symbol.asyncDispose]();
    return probe;
  }
  const bridge = hasNetwork(settings)
    ? realpathSync(path.join(packageRoot(), 'profiles/sandbox-bridge.cjs'))
    : undefined;
  const files = filesFor(facts, folder, bridge);
  const found = sandboxPlaces({ settings, permissions, world, temp: folder.temp, files });
  const made = madeFolders(found.toMake);
  const watched = watchPlaces(found.watched);
  const inside: Inside = { bwrap: probe.bwrap, folder, found, bridge, mounts: planMounts(found.places, inspect) };
  const proxy = bridge && (await openProxy(settings, folder));
  const refusals = { writable: found.folders, domains: domainsOf(settings) };
  const sandbox: Sandbox = {
    covers: (command) => facts.required || !isExcludedCommand(command, settings.excludedCommands),
    allowsInside: settings.enabled === true && settings.autoAllowBashIfSandboxed !== false,
    env: sandboxEnvironment({
      env: facts.env,
      temp: folder.temp,
      secretVariables: settings.secretVariables,
      proxyPort: bridge === undefined ? undefined : PROXY_PORT,
    }),
    enter(shell) {
      made.make();
      return enter(shell, inside, settings.network.allowUnixSockets);
    },
    isOwnFailure: (printed) => /^bwrap: Can't [^\n]*\n?$/.test(printed),
    settle: () => watched.settle(),
    explain: (output) => explainRefusal(output, refusals),
  };
  return {
    type: 'open' as const,
    sandbox,
    /** For the system prompt. */
    description: describeSandbox(refusals),
    warnings: [...found.warnings, ...withoutEffect(settings, facts.required)],
    [Symbol.asyncDispose]: async () => {
      for (const sentence of await watched.settle()) warn(sentence);
      made[Symbol.dispose]();
      if (proxy) await proxy[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

interface Inside {
  readonly bwrap: Bubblewrap;
  readonly folder: SandboxFolder;
  readonly found: FoundSandboxPlaces;
  readonly bridge: string | undefined;
  readonly mounts: readonly Mount[];
}

function enter(shell: ShellStart, inside: Inside, allowedSockets: readonly string[]): ShellStart {
  const { bwrap, folder, bridge, mounts } = inside;
  const words = bridge === undefined ? [] : [process.execPath, bridge, PROXY_INSIDE, `${PROXY_PORT}`];
  const [file = shell.file, ...args] = [...words, shell.file, ...shell.args];
  const later = laterMounts(inside, allowedSockets);
  return bwrapCommand(bwrap, [...mounts, ...later], folder.sources, { ...shell, file, args });
}

/** Files and sockets that appeared since the session began: they are only hidden, never mounted. */
function laterMounts({ found, mounts }: Inside, allowedSockets: readonly string[]): readonly Mount[] {
  const known = new Set(mounts.map((mount) => mount.path));
  const shut = mounts.filter(({ type }) => type.startsWith('empty') || type.startsWith('denied'));
  const hidden = [...SOCKET_FOLDERS, ...TEMP_FOLDERS, ...shut.map((mount) => mount.path)];
  const table = attempt(() => readFileSync('/proc/net/unix', 'utf8'), '');
  const sockets = otherSockets(table, [...hidden, ...allowedSockets]);
  const present = (paths: readonly string[]) =>
    [...new Set(paths.flatMap((one) => inspect.real(one) ?? []))].filter((one) => !known.has(one));
  return [
    ...present(found.denied()).map((one): Mount => {
      return { type: inspect.kind(one) === 'folder' ? 'deniedFolder' : 'deniedFile', path: one };
    }),
    ...present(sockets).map((one): Mount => ({ type: 'emptyFile', path: one })),
  ];
}

function filesFor({ settings, envFile }: SandboxFacts, folder: SandboxFolder, bridge: string | undefined) {
  const sockets = settings.network.allowUnixSockets.flatMap((one) => inspect.real(one) ?? []);
  const proxy = [{ path: PROXY_INSIDE, source: folder.proxySocket }, { path: process.execPath }];
  return [
    { path: envFile },
    ...sockets.map((one) => ({ path: one })),
    ...(bridge === undefined ? [] : [...proxy, { path: bridge }]),
  ];
}

function hasNetwork({ network }: SandboxSettings): boolean {
  return network.allowedDomains.length > 0 || network.httpProxyPort !== undefined;
}

function domainsOf({ network }: SandboxSettings): readonly string[] {
  return network.httpProxyPort === undefined
    ? network.allowedDomains
    : [`what the proxy on ${network.httpProxyPort} allows`];
}

async function openProxy({ network }: SandboxSettings, { proxySocket: socket }: SandboxFolder) {
  const { openAllowProxy } = await import('../../../system/sandbox/allowProxy.ts');
  const rules = { allowed: network.allowedDomains, denied: network.deniedDomains };
  return await openAllowProxy({ socket, rules, httpProxyPort: network.httpProxyPort });
}

/** One warning for all keys without effect. */
function withoutEffect(settings: SandboxSettings, required: boolean): readonly string[] {
  const excluded = required && settings.excludedCommands.length > 0 ? ['excludedCommands (--require-sandbox)'] : [];
  const keys = [...settings.withoutEffect, ...excluded];
  return keys.length === 0 ? [] : [`These sandbox settings have no effect in Stopgate: ${keys.join(', ')}.`];
}

type SandboxFolder = ReturnType<typeof makeSandboxFolder>;

/** The kernel limits the length of socket paths. */
const LONGEST_FOLDER = 80;

/** The files of a session's sandbox, removed with it. */
function makeSandboxFolder(env: Readonly<Record<string, string>>, warn: (sentence: string) => void) {
  const wanted = env.TMPDIR || tmpdir();
  const parent = realpathSync(wanted.length > LONGEST_FOLDER ? '/tmp' : wanted);
  const folder = mkdtempSync(path.join(parent, 'stopgate-sandbox-'));
  const at = (name: string) => path.join(folder, name);
  const sources = { emptyFile: at('empty-file'), deniedFolder: at('denied-folder') };
  mkdirSync(at('tmp'), { mode: 0o700 });
  mkdirSync(sources.deniedFolder, { mode: 0 });
  writeFileSync(sources.emptyFile, '', { mode: 0o400 });
  const filter = seccompFilter();
  if (filter) writeFileSync(at('filter.bpf'), filter, { mode: 0o600 });
  return {
    /** The commands' own temp folder, the only one of these that they can access. */
    temp: at('tmp'),
    sources,
    /** The compiled filter; undefined where there is none for this processor. */
    filterFile: filter && at('filter.bpf'),
    proxySocket: at('proxy.sock'),
    [Symbol.asyncDispose]: async () => {
      chmodSync(sources.deniedFolder, 0o700);
      await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: Error) =>
        warn(`The sandbox's temp folder ${folder} could not be removed (${error.message}); remove it manually.`),
      );
    },
  };
}
