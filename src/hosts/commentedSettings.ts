import { parse } from 'jsonc-parser';
import { isObject, type JsonObject } from '../schemas/jsonValue.ts';
import { textIn } from '../system/readTextFile.ts';

/** The settings in a JSON file that may have comments; none where it cannot be read, which the host itself reports. */
export function commentedSettings(file: string): JsonObject {
  const value: unknown = parse(textIn(file));
  return isObject(value) ? value : {};
}
