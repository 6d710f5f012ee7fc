import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FileWish, HostDriver, HostFolders } from './hostDriver.ts';

/** Puts the settings that keep an agent on its loopback model into a home; a file that has them already is not touched. */
export function setUpHost(driver: HostDriver, folders: HostFolders): void {
  putFiles(driver.settings(folders));
}

export function putFiles(files: Readonly<Record<string, FileWish>>): void {
  for (const [file, wish] of Object.entries(files)) {
    mkdirSync(path.dirname(file), { recursive: true });
    if (typeof wish === 'string') putText(file, wish);
    else putJson(file, wish);
  }
}

/** What was added since, by an `init` for instance, stays; a model's new address replaces the old one. */
function putText(file: string, text: string): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const after = before === '' ? text : before.replace(address, address.exec(text)?.[0] ?? '$&');
  if (after !== before) writeFileSync(file, after);
}

function putJson(file: string, wish: object): void {
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const after = merged(before, wish);
  if (JSON.stringify(after) !== JSON.stringify(before)) writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(before: unknown, wish: unknown): unknown {
  if (!isObject(before) || !isObject(wish)) return wish;
  const names = Object.keys({ ...before, ...wish });
  return Object.fromEntries(
    names.map((name) => [name, name in wish ? merged(before[name], wish[name]) : before[name]]),
  );
}
