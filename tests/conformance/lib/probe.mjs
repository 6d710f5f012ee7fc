// Hooks that answer with code: what a hook author sees beyond the fields that trace.mjs keeps.
import fs from 'node:fs';
import path from 'node:path';

const SHELL = (root) => `#!/bin/bash
# numbered like hook.sh's calls, so that the order of all of them can be kept
d="${root}/hooks"; name=$1
exec 9>>"$d/lock"; flock 9
n=$(( $(cat "$d/$name.n" 2>/dev/null || echo 0) + 1 )); echo $n > "$d/$name.n"
s=$(( $(cat "$d/seq" 2>/dev/null || echo 0) + 1 )); echo $s > "$d/seq"
flock -u 9; exec 9>&-
exec "${process.execPath}" "${root}/probe-$name.mjs" $n "$d/call.$(printf %04d $s).$name.json"
`;

/**
 * The command of a hook that runs `say(input, { n, env, cwd, raw, read })` and does what it returns:
 * `note` is kept in the trace (as the call's \`message\`), `out`, `err` and `code` are its answer. A string is a note.
 */
export function probe({ root }, name, say) {
  fs.writeFileSync(path.join(root, 'probe.sh'), SHELL(root), { mode: 0o755 });
  fs.writeFileSync(
    path.join(root, `probe-${name}.mjs`),
    `
import fs from 'node:fs';
const [n, file] = process.argv.slice(2), raw = fs.readFileSync(0, 'utf8');
let input; try { input = JSON.parse(raw); } catch { input = {}; }
const read = (f) => { try { return fs.readFileSync(f, 'utf8'); } catch (e) { return e.code; } };
const said = await (${say})(input, { n: Number(n), env: process.env, cwd: process.cwd(), raw, read, fs });
const { note, out, err, code = 0 } = typeof said === 'string' ? { note: said } : said ?? {};
fs.writeFileSync(file, JSON.stringify({ hook_event_name: input.hook_event_name, message: note }));
if (out !== undefined) process.stdout.write(typeof out === 'string' ? out : JSON.stringify(out));
if (err !== undefined) process.stderr.write(err);
process.exitCode = code;
`,
  );
  return `${root}/probe.sh ${name}`;
}

/** { hooks: { Event: [{ hooks: [{ type: 'command', command }] }] } } for each event named. */
export const on = (events) => ({
  hooks: Object.fromEntries(
    Object.entries(events).map(([event, command]) => [
      event,
      [].concat(command).map((c) => (typeof c === 'string' ? { hooks: [{ type: 'command', command: c }] } : c)),
    ]),
  ),
});

/** A \`say\` for \`probe\` that notes the whole input, without what differs from run to run. */
export const whole = (i) => {
  const { session_id: _s, transcript_path: _t, cwd: _c, prompt_id: _p, duration_ms: _d, effort: _e, ...rest } = i;
  return { note: rest };
};
