type Defined<Fields> = string extends keyof Fields
  ? Record<string, Exclude<Fields[keyof Fields], undefined>>
  : { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** An object without the fields that are undefined. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
}
