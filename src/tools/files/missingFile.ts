import { readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { nearestName } from '../../system/nearestName.ts';

/** The same name with another extension, or a similar name. */
export function nearestFile(name: string, names: readonly string[]): string | undefined {
  const others = names.filter((other) => other !== name);
  return others.find((other) => stem(other) === stem(name)) ?? nearestName(name, others);
}

const stem = (name: string) => name.replace(/(?<=.)\.[^.]*$/, '').toLowerCase();

/** For a model that named a file which is not there. */
export async function describeMissing(path: string, current: string): Promise<string> {
  const names = await readdir(dirname(path)).catch(() => []);
  const near = nearestFile(basename(path), names.toSorted());
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `File does not exist. Note: your current working directory is ${current}.${hint}`;
}
