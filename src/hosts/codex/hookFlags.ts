import type { HookEntry } from '../../schemas/settingsHold.ts';
import { definedOnly } from '../../system/definedOnly.ts';
import { ourHooks, SESSION_FLAGS } from './hookTrust.ts';

/** Words that add these hooks to one run of Codex, trusted: they come in addition to those of its files. */
export function hookFlags(entries: readonly HookEntry[]): readonly string[] {
  if (entries.length === 0) return [];
  const events = Map.groupBy(entries, ({ event }) => event);
  const hooks = Object.fromEntries([...events].map(([event, list]) => [event, list.map(groupOf)]));
  const states = ourHooks(JSON.stringify({ hooks }), SESSION_FLAGS).map(
    ({ key, hash }) => [key, { trusted_hash: hash }] as const,
  );
  return [
    ...Object.entries(hooks).flatMap(([event, groups]) => ['-c', `hooks.${event}=${toml(groups)}`]),
    '-c',
    `hooks.state=${toml(Object.fromEntries(states))}`,
  ];
}

const groupOf = ({ matcher, command, timeout, statusMessage }: HookEntry) =>
  definedOnly({ matcher, hooks: [definedOnly({ type: 'command', command, timeout, statusMessage })] });

/** A value of TOML; its basic strings are written like those of JSON. */
function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}=${toml(inner)}`);
  return `{${members.join(',')}}`;
}
