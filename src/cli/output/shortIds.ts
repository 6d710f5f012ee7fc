/** As many characters as people copy, after what many begin with. */
const START = /^(?:completions of .*|(?:launch-|verify-|task-)?.{0,8})/s;

/** Shortens ids to what tells them apart: eight characters, or more where others begin with the same. */
export function shortIds(ids: readonly string[]): (id: string) => string {
  const sorted = [...new Set(ids)].sort();
  const short = new Map(
    sorted.map((id, at) => {
      const [start = ''] = START.exec(id) ?? [];
      const shared = Math.max(sharedStart(id, sorted[at - 1]), sharedStart(id, sorted[at + 1]));
      return [id, id.slice(0, Math.max(start.length, shared + 1))];
    }),
  );
  return (id) => short.get(id) ?? id;
}

/** How many characters two ids have in common at their start. */
function sharedStart(one: string, other = ''): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
