import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { HostEvent } from './hostDriver.ts';
import type { HostName } from './hostPackages.ts';
import type { Body } from './model/wire.ts';

const fileOf = (host: HostName, event: HostEvent) =>
  path.join(import.meta.dirname, 'payloads', `${host}-${event}.json`);

interface Folders {
  readonly dir: string;
  readonly home: string;
}

/** What a real agent sent to a hook; undefined for an event that it does not have. */
export function recordedPayload(
  host: HostName,
  event: HostEvent,
  { dir, home }: Folders = { dir: '/project', home: '/home' },
): Body | undefined {
  const file = fileOf(host, event);
  if (!existsSync(file)) return undefined;
  return JSON.parse(readFileSync(file, 'utf8').replaceAll('{project}', dir).replaceAll('{home}', home));
}

/** Writes a payload down with placeholders for the folders of the test. */
export function keepPayload(
  { host, event, payload }: { readonly host: HostName; readonly event: HostEvent; readonly payload: Body },
  { dir, home }: Folders,
): void {
  // agents also turn paths into names of folders
  const dashed = (folder: string) => folder.replaceAll(/[/._]/g, '-');
  const text = [
    [dir, '{project}'],
    [dashed(dir), '-project'],
    // relative to the root of the file system
    [dir.slice(1), 'project'],
    [home, '{home}'],
  ].reduce((whole, [from = '', to = '']) => whole.replaceAll(from, to), JSON.stringify(payload, null, 2));
  writeFileSync(fileOf(host, event), `${text}\n`);
}

/** The names and types of a payload's fields, without its values. */
export function shapeOf(payload: Body): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payload).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]),
  );
}
