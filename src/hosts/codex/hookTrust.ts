import { hash } from 'node:crypto';
import { isObject, type JsonObject, jsonValue } from '../../schemas/jsonValue.ts';
import { OWNERSHIP_MARK } from '../host.ts';

/*
 * Codex runs a hook only when the user's config.toml has the hash of its content, under a key with its place in the file.
 * Without it, or with another, the hook is skipped without a word. Measured on 0.166.0 and 0.169.0.
 */

export interface TrustedHook {
  /** `<file>:<event>:<group>:<handler>` */
  readonly key: string;
  readonly hash: string;
}

/** Where hooks of the command line are, in the keys. */
export const SESSION_FLAGS = '/<session-flags>/config.toml';

/** What a handler has when its file does not say. */
const USUAL_HANDLER = { async: false, timeout: 600 };

/** The keys and hashes of our hooks in the text of a hooks.json; with `commands`, only of those: a repository can write our mark too. */
export function ourHooks(text: string, file: string, commands?: ReadonlySet<string>): readonly TrustedHook[] {
  const root = jsonValue(text.replace(/^\ufeff/, ''));
  const events = isObject(root) && isObject(root.hooks) ? root.hooks : {};
  return Object.entries(events).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group, groupAt) =>
      listOf(group.hooks).flatMap((handler, at) =>
        isOurs(handler) && (commands === undefined || commands.has(String(handler.command)))
          ? [trustOf({ event, group, handler }, `${file}:${snakeCase(event)}:${groupAt}:${at}`)]
          : [],
      ),
    ),
  );
}

const listOf = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : [];

const isOurs = ({ command }: JsonObject): boolean =>
  typeof command === 'string' && command.trimEnd().endsWith(` ${OWNERSHIP_MARK}`);

interface PlacedHook {
  readonly event: string;
  readonly group: JsonObject;
  readonly handler: JsonObject;
}

function trustOf({ event, group, handler }: PlacedHook, key: string): TrustedHook {
  const { hooks: _hooks, ...matcher } = group;
  const content = { event_name: snakeCase(event), ...matcher, hooks: [{ ...USUAL_HANDLER, ...handler }] };
  return {
    key,
    hash: `sha256:${hash('sha256', JSON.stringify(sorted(content)))}`,
  };
}

const snakeCase = (event: string) => event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
