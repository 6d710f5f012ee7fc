const POINT = /^( *)(not )?ok\b(?: +\d+)?(?: *- *| +)?(.*)$/;
const SUBTEST = /^( *)# Subtest: (.*)$/;
const EXCUSED = /(?:^|\s)# *(?:TODO|SKIP)\b/i;

/** The Test Anything Protocol, with subtests as Node and node-tap print them. */
export function tapFailures(text: string): readonly string[] | null {
  const failing: string[] = [];
  /** The names of the subtests that are open, by their indentation. */
  const open = new Map<number, string>();
  let points = 0;
  let atTop = 0;
  let planned = 0;
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*Bail out!/.test(line)) failing.push(line.trim());
    planned = Math.max(planned, Number(/^1\.\.(\d+)/.exec(line)?.[1] ?? 0));
    const [, space = '', subtest] = SUBTEST.exec(line) ?? [];
    if (subtest !== undefined) open.set(space.length, subtest);
    const [whole, indent = '', not, name = ''] = POINT.exec(line) ?? [];
    if (whole === undefined) continue;
    points++;
    if (indent === '') atTop++;
    const isFailure = not !== undefined && !EXCUSED.test(name);
    if (isFailure) failing.push([...parentsOf(open, indent.length), name.replace(/\s+#.*$/, '')].join(' > '));
    for (const depth of open.keys()) if (depth >= indent.length) open.delete(depth);
  }
  // a run that broke off hides what it did not get to
  if (atTop < planned) return null;
  return points === 0 && failing.length === 0 ? null : failing;
}

const parentsOf = (open: ReadonlyMap<number, string>, depth: number): readonly string[] =>
  [...open].filter(([at]) => at < depth).map(([, name]) => name);
