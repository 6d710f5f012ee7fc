/**
 * What a table has under a name that came from outside. A plain `TABLE[name]` also finds what every object inherits:
 * `toString; make build` once ended the landing that way, because `TABLE['toString']` is a function.
 */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
