import * as z from 'zod';
import type { JsonPath } from './json.ts';

export interface SettingsIssue {
  readonly path: JsonPath;
  readonly message: string;
}

/** How a file is told what is wrong with its values. */
export interface ReaderWords {
  /** About a value that its schema refused. */
  value(error: z.ZodError, schema: z.ZodType): string;
  readonly list: string;
  readonly item: string;
}

export type ReadValues<Fields extends Readonly<Record<string, z.ZodType>>> = {
  -readonly [Key in keyof Fields]?: z.output<Fields[Key]>;
};

const record = z.record(z.string(), z.unknown());

/** Reads keys of one object and remembers which of them were read; keys of the wrong type are left out, and reported. */
export class ObjectReader {
  readonly #from: Readonly<Record<string, unknown>>;
  readonly #at: JsonPath;
  readonly #issues: SettingsIssue[];
  readonly #words: ReaderWords;
  readonly #known = new Set<string>();

  constructor(value: unknown, at: JsonPath, issues: SettingsIssue[], words: ReaderWords, whole = 'must be an object') {
    const parsed = value === undefined ? undefined : record.safeParse(value);
    this.#from = parsed?.data ?? {};
    this.#at = at;
    this.#issues = issues;
    this.#words = words;
    if (parsed && !parsed.success) this.#complain([], whole, value);
  }

  object(key: string, whole?: string): ObjectReader {
    return new ObjectReader(this.take(key), [...this.#at, key], this.#issues, this.#words, whole);
  }

  values<Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields): ReadValues<Fields> {
    const read: Record<string, unknown> = {};
    for (const [key, schema] of Object.entries(fields)) {
      const value = this.take(key);
      const parsed = value === undefined ? undefined : schema.safeParse(value);
      if (parsed?.success) read[key] = parsed.data;
      else if (parsed) this.#complain([key], this.#words.value(parsed.error, schema), value);
    }
    return read as ReadValues<Fields>;
  }

  /** The lists that are set; an entry that does not fit is left out. */
  lists<Key extends string>(keys: readonly Key[], item: z.ZodType<string> = z.string()): { [Name in Key]?: string[] } {
    const read: { [Name in Key]?: string[] } = {};
    for (const key of keys) {
      const value = this.take(key);
      if (Array.isArray(value)) read[key] = value.flatMap((one: unknown, index) => this.#item(item, one, [key, index]));
      else if (value !== undefined) this.#complain([key], this.#words.list, value);
    }
    return read;
  }

  /** All values of the object, each read by one schema. */
  entries(schema: z.ZodType<string>, isName: (name: string) => boolean): Record<string, string> {
    const read = Object.entries(this.#from).flatMap(([name, value]) =>
      this.#item(isName(name) ? schema : z.never(), value, [name]).map((text) => [name, text]),
    );
    return Object.fromEntries(read);
  }

  /** The keys that were not read, such as `network.socksProxyPort`, with their values. */
  unread(): readonly (readonly [key: string, value: unknown])[] {
    const left = Object.entries(this.#from).filter(([key]) => !this.#known.has(key));
    return left.map(([key, value]) => [[...this.#at.slice(1), key].join('.'), value]);
  }

  take(key: string): unknown {
    this.#known.add(key);
    return Object.hasOwn(this.#from, key) ? this.#from[key] : undefined;
  }

  #item(schema: z.ZodType<string>, value: unknown, path: JsonPath): string[] {
    const parsed = schema.safeParse(value);
    if (parsed.success) return [parsed.data];
    this.#complain(path, this.#words.item, value);
    return [];
  }

  #complain(path: JsonPath, message: string, value: unknown): void {
    const text = JSON.stringify(value) ?? String(value);
    const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
    this.#issues.push({ path: [...this.#at, ...path], message: `${message}, but is ${shown}` });
  }
}
