import { parse } from 'jsonc-parser';
import { isObject, type JsonObject } from '../schemas/jsonValue.ts';
import { readTextFileSync } from '../system/readTextFile.ts';

const LARGEST_BYTES = 1_000_000;

/** The settings in a JSON file that may have comments; none where it cannot be read, which the host itself reports. */
export function commentedSettings(file: string): JsonObject {
  const read = readTextFileSync(file, LARGEST_BYTES);
  const value: unknown = read.type === 'read' ? parse(read.text) : undefined;
  return isObject(value) ? value : {};
}

/** The value at the end of these names; undefined without one. */
export function settingAt(settings: JsonObject, names: readonly string[]): unknown {
  return names.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), settings);
}
