const POINT = /^( *)(not )?ok\b(?: +\d+)?(?: *- *| +)?(.*)$/;
const SUBTEST = /^( *)# Subtest: (.*)$/;
const EXCUSED = /(?:^|\s)# *(?:TODO|SKIP)/i;

/** The Test Anything Protocol, with subtests as Node and node-tap print them. */
export function tapFailures(text: string): readonly string[] | null {
  const failing: string[] = [];
  /** The names of the subtests that are open, by their indentation. */
  const open = new Map<number, string>();
  let points = 0;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*Bail out!/.test(line)) failing.push(line.trim());
    const [, space = '', subtest] = SUBTEST.exec(line) ?? [];
    if (subtest !== undefined) open.set(space.length, subtest);
    const [whole, indent = '', not, name = ''] = POINT.exec(line) ?? [];
    if (whole === undefined) continue;
    points++;
    const isFailure = not !== undefined && !EXCUSED.test(name);
    if (isFailure) failing.push([...parentsOf(open, indent.length), name.replace(/\s+#.*$/, '')].join(' > '));
    for (const depth of open.keys()) if (depth >= indent.length) open.delete(depth);
  }
  return points === 0 && failing.length === 0 ? null : failing;
}

const parentsOf = (open: ReadonlyMap<number, string>, depth: number): readonly string[] =>
  [...open].filter(([at]) => at < depth).map(([, name]) => name);
