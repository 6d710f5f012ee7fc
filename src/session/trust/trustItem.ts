import { hash } from 'node:crypto';

/** What needs trust. `definition`: the checks of a configuration together, with what else it decides. */
export type TrustKind = 'hook' | 'setting' | 'server' | 'check' | 'definition' | 'import' | 'command' | 'agent';

/** One thing that a repository's own files may do only when a person approved it. */
export interface TrustItem {
  readonly kind: TrustKind;
  /** Names the same thing before and after an edit. */
  readonly id: string;
  /** Of everything in it that has an effect. */
  readonly digest: string;
}

export const trustItem = (kind: TrustKind, id: string, value: unknown): TrustItem => ({
  kind,
  id,
  digest: hash('sha256', JSON.stringify([kind, sorted(value)])),
});

/** The order of keys means nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}

/** A file outside the project that its instructions import. */
export const importItem = (realPath: string): TrustItem => trustItem('import', realPath, realPath);

/** The file of a slash command or skill, by its path from the project. */
export const commandItem = (file: string, text: string): TrustItem => trustItem('command', file, { file, text });

/** One value of a setting that needs trust. */
export const settingItem = (path: readonly (string | number)[], value: unknown): TrustItem =>
  trustItem('setting', path.join('.'), { path, value });

/** A server of the project by its name. */
export const serverItem = (name: string, server: unknown): TrustItem => trustItem('server', name, { name, server });

/** An agent's file that takes the place of a person's agent with hooks. */
export const agentItem = (name: string, hooks: readonly { readonly value: unknown }[] = []): TrustItem =>
  trustItem('agent', name, { name, hooks: hooks.map(({ value }) => value) });
