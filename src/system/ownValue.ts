/** A table's entry for a name from outside; a plain `TABLE[name]` also finds inherited ones, such as `toString`. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string | undefined): Value | undefined {
  return name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}
