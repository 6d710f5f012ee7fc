import * as z from 'zod';
import type { JsonPath } from './json.ts';

/** The value of `sandbox` in a settings file, as far as it has an effect here. Absent lists are empty. */
export interface SandboxSettings {
  readonly enabled?: boolean;
  /** Turned on by an untrusted repository: commands run inside, but are not allowed more for it. */
  readonly forced?: true;
  readonly autoAllowBashIfSandboxed?: boolean;
  readonly failIfUnavailable?: boolean;
  readonly excludedCommands: readonly string[];
  readonly filesystem: SandboxFiles;
  readonly network: SandboxNetwork;
  /** From `credentials`: files and variables that commands must not see. */
  readonly secretFiles: readonly string[];
  readonly secretVariables: readonly string[];
  /** Keys that are set but have no effect, such as `network.socksProxyPort`. */
  readonly withoutEffect: readonly string[];
}

export interface SandboxFiles {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly allowRead: readonly string[];
  readonly denyRead: readonly string[];
  readonly allowManagedReadPathsOnly?: boolean;
}

interface SandboxNetwork {
  readonly allowedDomains: readonly string[];
  readonly deniedDomains: readonly string[];
  readonly allowUnixSockets: readonly string[];
  readonly httpProxyPort?: number;
  readonly allowManagedDomainsOnly?: boolean;
}

export interface SandboxIssue {
  readonly path: JsonPath;
  readonly message: string;
}

export const NO_SANDBOX: SandboxSettings = {
  excludedCommands: [],
  filesystem: { allowWrite: [], denyWrite: [], allowRead: [], denyRead: [] },
  network: { allowedDomains: [], deniedDomains: [], allowUnixSockets: [] },
  secretFiles: [],
  secretVariables: [],
  withoutEffect: [],
};

const SWITCHES = ['enabled', 'autoAllowBashIfSandboxed', 'failIfUnavailable'] as const;
const FILE_LISTS = ['allowWrite', 'denyWrite', 'allowRead', 'denyRead'] as const;
const NETWORK_LISTS = ['allowedDomains', 'deniedDomains', 'allowUnixSockets'] as const;

const record = z.record(z.string(), z.unknown());
const port = z.int().min(1).max(65_535);
/** As in Claude Code: `{"path": "~/.aws", "mode": "deny"}` and `{"name": "TOKEN", "mode": "deny"}`. */
const secretFile = z.union([z.string(), z.object({ path: z.string() }).transform(({ path }) => path)]);
const secretVariable = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);

/** Reads one file's `sandbox` value; only keys of the wrong type are left out, and reported. */
export function readSandbox(value: unknown, issues: SandboxIssue[]): SandboxSettings {
  const reader = new ObjectReader(value, ['sandbox'], issues);
  const files = reader.object('filesystem');
  const network = reader.object('network');
  const secrets = reader.object('credentials');
  // always `false` here: no command can run outside
  const allowsOutside = reader.value('allowUnsandboxedCommands', z.boolean()) === true;
  return {
    ...reader.values(SWITCHES, z.boolean()),
    excludedCommands: reader.list('excludedCommands'),
    filesystem: { ...files.lists(FILE_LISTS), ...files.values(['allowManagedReadPathsOnly'], z.boolean()) },
    network: {
      ...network.lists(NETWORK_LISTS),
      ...network.values(['httpProxyPort'], port),
      ...network.values(['allowManagedDomainsOnly'], z.boolean()),
    },
    secretFiles: secrets.list('files', secretFile),
    secretVariables: secrets.list('envVars', secretVariable),
    withoutEffect: [
      ...(allowsOutside ? ['allowUnsandboxedCommands'] : []),
      ...reader.unread(),
      ...files.unread(),
      ...network.unread(),
      ...secrets.unread(),
    ],
  };
}

type Texts = z.ZodType<string>;

/** Reads keys of one object and remembers which of them were read. */
class ObjectReader {
  readonly #from: Readonly<Record<string, unknown>>;
  readonly #at: JsonPath;
  readonly #issues: SandboxIssue[];
  readonly #known = new Set<string>();

  constructor(value: unknown, at: JsonPath, issues: SandboxIssue[]) {
    const parsed = value === undefined ? undefined : record.safeParse(value);
    this.#from = parsed?.data ?? {};
    this.#at = at;
    this.#issues = issues;
    if (parsed && !parsed.success) this.#complain(at, 'must be an object', value);
  }

  object(key: string): ObjectReader {
    return new ObjectReader(this.#take(key), [...this.#at, key], this.#issues);
  }

  value<Value>(key: string, schema: z.ZodType<Value>): Value | undefined {
    const value = this.#take(key);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const kind = schema instanceof z.ZodBoolean ? 'true or false' : 'a port number';
    this.#complain([...this.#at, key], `must be ${kind}`, value);
    return undefined;
  }

  values<Key extends string, Value>(keys: readonly Key[], schema: z.ZodType<Value>): { [Name in Key]?: Value } {
    const read: { [Name in Key]?: Value } = {};
    for (const key of keys) {
      const value = this.value(key, schema);
      if (value !== undefined) read[key] = value;
    }
    return read;
  }

  list(key: string, item: Texts = z.string()): readonly string[] {
    const value = this.#take(key);
    if (value === undefined) return [];
    const at = [...this.#at, key];
    if (!Array.isArray(value)) {
      this.#complain(at, 'must be a list', value);
      return [];
    }
    return value.flatMap((one: unknown, index) => {
      const parsed = item.safeParse(one);
      if (parsed.success && parsed.data !== '') return [parsed.data];
      this.#complain([...at, index], 'is not an entry of this list', one);
      return [];
    });
  }

  lists<Key extends string>(keys: readonly Key[]): Record<Key, readonly string[]> {
    return Object.fromEntries(keys.map((key) => [key, this.list(key)])) as Record<Key, readonly string[]>;
  }

  /** The keys that were not read, such as `network.socksProxyPort`. */
  unread(): string[] {
    const names = Object.keys(this.#from).filter((key) => !this.#known.has(key));
    return names.map((key) => [...this.#at.slice(1), key].join('.'));
  }

  #take(key: string): unknown {
    this.#known.add(key);
    return Object.hasOwn(this.#from, key) ? this.#from[key] : undefined;
  }

  #complain(path: JsonPath, message: string, value: unknown): void {
    const text = JSON.stringify(value) ?? String(value);
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    this.#issues.push({ path, message: `${message}, but is ${shown}` });
  }
}
