import { entryPaths } from '../../../hosts/entryCommands.ts';
import type { FoundHost } from '../../../hosts/findHosts.ts';
import {
  HOST_ABILITIES,
  type HostAbility,
  type HostWiring,
  SETTINGS_SCOPES,
  type SettingsScope,
} from '../../../hosts/host.ts';
import { ownPath } from '../../../system/ownPath.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import { environmentFor } from '../../../system/secretPolicy.ts';
import type { World } from '../../../system/world.ts';

export interface ListedHost {
  readonly host: string;
  readonly title: string;
  /** Its program; null when it is not on the PATH. */
  readonly program: string | null;
  /** As it prints it; null when it is not installed or did not answer. */
  readonly version: string | null;
  /** The user has settings of it. */
  readonly configured: boolean;
  /** The files that hold hooks of Stopgate. */
  readonly wired: readonly { readonly scope: SettingsScope; readonly file: string }[];
  /** Why hooks do not run in this folder; null when they do. */
  readonly off: string | null;
  readonly abilities: readonly { readonly name: HostAbility; readonly can: boolean; readonly note: string | null }[];
}

export async function gatherHost({ host, program, configured }: FoundHost, world: World): Promise<ListedHost> {
  const { flag, abilities, load } = host.wiring;
  const wiring = await load();
  const wired = await wiredFiles(wiring, world);
  return {
    host: flag,
    title: host.title,
    program,
    version: program === null ? null : await versionOf(program, world),
    configured,
    wired,
    off: wired.length === 0 ? null : await wiring.whyOff(world.cwd, world),
    abilities: HOST_ABILITIES.map((name) => {
      const { can = true, note = null } = abilities[name] ?? {};
      return { name, can, note };
    }),
  };
}

const LARGEST_BYTES = 1_000_000;

async function wiredFiles(wiring: HostWiring, world: World): Promise<ListedHost['wired']> {
  const scopes = new Set(SETTINGS_SCOPES.map((asked) => wiring.scope(asked)));
  const found = [...scopes].map(async (scope) => {
    const files = await wiring.files({ scope, features: [], paths: entryPaths(), world });
    return (
      files
        // a file that several folders share says nothing about this one
        .filter(({ part }) => part === undefined)
        .filter(({ file, format }) => {
          const read = readTextFileSync(file, LARGEST_BYTES);
          const owned = read.type === 'read' && !read.cut ? format.owned(read.text) : null;
          return owned?.type === 'found' && owned.keys.length > 0;
        })
        .map(({ file }) => ({ scope, file }))
    );
  });
  return (await Promise.all(found)).flat();
}

/** Some of these programs take a second to start. */
const VERSION_MS = 10_000;

async function versionOf(program: string, { processes, env, cwd }: World): Promise<string | null> {
  const { ended } = processes.start({
    file: program,
    args: ['--version'],
    cwd,
    // a script's first line looks for its interpreter there too
    env: { ...environmentFor('helper', env), PATH: ownPath(env.PATH, cwd) },
    input: '',
    timeoutMs: VERSION_MS,
    maxOutputBytes: 4096,
  });
  const end = await ended;
  return end.type === 'exited' ? (/\d+\.\d+(?:[.+-]\w+)*/.exec(end.stdout)?.[0] ?? null) : null;
}
