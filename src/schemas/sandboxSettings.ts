import * as z from 'zod';
import { ObjectReader, type ReaderWords, type ReadValues, type SettingsIssue } from './objectReader.ts';

/** The value of `sandbox` in a settings file, as far as it has an effect here. Absent lists are empty. */
export interface SandboxSettings extends Readonly<ReadValues<typeof SWITCHES>> {
  /** Turned on by an untrusted repository: commands run inside, but are not allowed more for it. */
  readonly forced?: true;
  readonly excludedCommands: readonly string[];
  readonly filesystem: SandboxFiles;
  readonly network: Lists<typeof NETWORK_LISTS> & Readonly<ReadValues<typeof NETWORK>>;
  /** From `credentials`: files and variables that commands must not see. */
  readonly secretFiles: readonly string[];
  readonly secretVariables: readonly string[];
  /** Keys that are set but have no effect, such as `network.socksProxyPort`. */
  readonly withoutEffect: readonly string[];
}

type Lists<Names extends readonly string[]> = { readonly [Name in Names[number]]: readonly string[] };

export interface SandboxFiles extends Lists<typeof FILE_LISTS> {
  readonly allowManagedReadPathsOnly?: boolean;
}

export const NO_SANDBOX: SandboxSettings = {
  excludedCommands: [],
  filesystem: { allowWrite: [], denyWrite: [], allowRead: [], denyRead: [] },
  network: { allowedDomains: [], deniedDomains: [], allowUnixSockets: [] },
  secretFiles: [],
  secretVariables: [],
  withoutEffect: [],
};

const boolean = z.boolean();
const SWITCHES = { enabled: boolean, autoAllowBashIfSandboxed: boolean, failIfUnavailable: boolean };
const NETWORK = { httpProxyPort: z.int().min(1).max(65_535), allowManagedDomainsOnly: boolean };
const FILE_LISTS = ['allowWrite', 'denyWrite', 'allowRead', 'denyRead'] as const;
const NETWORK_LISTS = ['allowedDomains', 'deniedDomains', 'allowUnixSockets'] as const;

const text = z.string().min(1);
/** As in Claude Code: `{"path": "~/.aws", "mode": "deny"}` and `{"name": "TOKEN", "mode": "deny"}`. */
const secretFile = z.union([text, z.object({ path: text }).transform(({ path }) => path)]);
const secretVariable = z.union([text, z.object({ name: text }).transform(({ name }) => name)]);

const WORDS: ReaderWords = {
  value: (_error, schema) => `must be ${schema instanceof z.ZodBoolean ? 'true or false' : 'a port number'}`,
  list: 'must be a list',
  item: 'is not an entry of this list',
};

/** Reads one file's `sandbox` value; only keys of the wrong type are left out, and reported. */
export function readSandbox(value: unknown, issues: SettingsIssue[]): SandboxSettings {
  const reader = new ObjectReader(value, ['sandbox'], issues, WORDS);
  const files = reader.object('filesystem');
  const network = reader.object('network');
  const secrets = reader.object('credentials');
  // always `false` here: no command can run outside
  const { allowUnsandboxedCommands: allowsOutside } = reader.values({ allowUnsandboxedCommands: boolean });
  const switches = reader.values(SWITCHES);
  const { excludedCommands = [] } = reader.lists(['excludedCommands'], text);
  const fileLists = files.lists(FILE_LISTS, text);
  const fileSwitches = files.values({ allowManagedReadPathsOnly: boolean });
  const networkLists = network.lists(NETWORK_LISTS, text);
  return {
    ...switches,
    excludedCommands,
    filesystem: { ...NO_SANDBOX.filesystem, ...fileLists, ...fileSwitches },
    network: { ...NO_SANDBOX.network, ...networkLists, ...network.values(NETWORK) },
    secretFiles: secrets.lists(['files'], secretFile).files ?? [],
    secretVariables: secrets.lists(['envVars'], secretVariable).envVars ?? [],
    withoutEffect: [
      ...(allowsOutside === true ? ['allowUnsandboxedCommands'] : []),
      ...[reader, files, network, secrets].flatMap((one) => one.unread().map(([key]) => key)),
    ],
  };
}
