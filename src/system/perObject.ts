/** A function of an object that is computed once for as long as the object lives. */
export function perObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const before = known.get(key) ?? { value: compute(key) };
    known.set(key, before);
    return before.value;
  };
}
