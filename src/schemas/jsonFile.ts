import { readFile } from 'node:fs/promises';
import type * as z from 'zod';
import { jsonValue } from './jsonValue.ts';

/** What a file of ours holds; undefined when it is missing, cut short or of another shape. */
export async function readJsonFile<Value>(file: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
  return schema.safeParse(jsonValue(await readFile(file, 'utf8').catch(() => ''))).data;
}
