// What Claude Code's traces are, with Stopgate's differences on purpose applied, and how two traces differ.
import fs from 'node:fs';
import path from 'node:path';

/** `differs.json` beside the golden file: { scenario: { why, set: { 'end.reason': value } } }. */
export function readGolden(file) {
  const want = JSON.parse(fs.readFileSync(file, 'utf8'));
  const differs = path.join(path.dirname(file), 'differs.json');
  if (!fs.existsSync(differs)) return want;
  for (const [name, { set }] of Object.entries(JSON.parse(fs.readFileSync(differs, 'utf8')))) {
    if (!want[name]) continue;
    for (const [dotted, value] of Object.entries(set)) {
      const keys = dotted.split('.');
      const last = keys.pop();
      keys.reduce((o, k) => o[k], want[name])[last] = value;
    }
  }
  return want;
}

/** One line for each place where two traces differ; none when they agree. */
export function differences(want, got) {
  return diff(want, JSON.parse(JSON.stringify(got)));
}

function diff(a, b, p = '') {
  if (JSON.stringify(a) === JSON.stringify(b)) return [];
  if (a && b && typeof a === 'object' && typeof b === 'object')
    return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => diff(a[k], b[k], `${p}.${k}`));
  return [`    ${p}: want ${JSON.stringify(a)?.slice(0, 300)} got ${JSON.stringify(b)?.slice(0, 300)}`];
}
