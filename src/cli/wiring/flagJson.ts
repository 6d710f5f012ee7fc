import path from 'node:path';
import { readTextFile } from '../../system/readTextFile.ts';
import { UserError } from '../../system/userError.ts';

const MAX_BYTES = 1_000_000;

/** The value of a flag that takes a JSON object or the path of a file with one. */
export async function jsonFromFlag(flag: string, value: string, cwd: string) {
  const isObject = value.trimStart().startsWith('{');
  const place = isObject ? flag : `${flag} ${value}`;
  const text = isObject ? value : await readFile(flag, value, cwd);
  try {
    const json: unknown = JSON.parse(text);
    return { place, json };
  } catch (error) {
    throw new UserError(`${place} is not valid JSON: ${(error as Error).message}.`);
  }
}

async function readFile(flag: string, file: string, cwd: string): Promise<string> {
  const read = await readTextFile(path.resolve(cwd, file), MAX_BYTES);
  if (read.type === 'read' && !read.cut) return read.text;
  const why = read.type === 'read' ? 'is larger than 1 MB' : 'cannot be read';
  throw new UserError(`${flag}: the file ${file} ${why}; pass a JSON object or the path of a file with one.`);
}
