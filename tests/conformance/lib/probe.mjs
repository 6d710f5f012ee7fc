// Hooks that answer with code: what a hook author sees beyond the fields that trace.mjs keeps.
import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

// The shell keeps what the hook was given, asks the harness what to say, and says it: a Node for each call would cost more than
// all the rest of a scenario's hooks.
const SHELL = (root, port) => `#!/bin/bash
# usage: probe.sh NAME; numbered like hook.sh's calls, so that the order of all of them can be kept
d="${root}/hooks"; name=$1; n=0; s=0
exec 9>>"$d/lock"; flock 9
[ -e "$d/$name.n" ] && read -r n < "$d/$name.n"; n=$((n + 1)); echo $n > "$d/$name.n"
[ -e "$d/seq" ] && read -r s < "$d/seq"; s=$((s + 1)); echo $s > "$d/seq"
exec 9>&-
printf -v call 'probe.%04d.%s' $s "$name"
cat > "$d/$call.input"
env -0 > "$d/$call.variables"
pwd -P > "$d/$call.folder"
exec 8<>/dev/tcp/127.0.0.1/${port}
echo "$name $n $call" >&8
read -r code <&8 || exit 1
[ -e "$d/$call.out" ] && cat "$d/$call.out"
[ -e "$d/$call.err" ] && cat "$d/$call.err" >&2
exit $code
`;

/**
 * The command of a hook that runs `say(input, { n, env, cwd, raw, read, fs })` and does what it returns:
 * `note` is kept in the trace (as the call's \`message\`), `out`, `err` and `code` are its answer. A string is a note.
 */
export function probe({ root, probes }, name, say) {
  probes.says.set(name, say);
  fs.writeFileSync(path.join(root, 'probe.sh'), SHELL(root, probes.port), { mode: 0o755 });
  return `${root}/probe.sh ${name}`;
}

/** Answers the probes of one scenario, whose hooks are called in `hooks`. */
export async function startProbes(hooks) {
  const says = new Map();
  const server = createServer((socket) => {
    let asked = '';
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('data', async (d) => {
      asked += d;
      if (!asked.endsWith('\n')) return;
      const [name, n, call] = asked.trim().split(' ');
      const { note, out, err, code } = await said(says.get(name), Number(n), path.join(hooks, call));
      // a hook that was ended while it thought says nothing
      if (socket.destroyed) return;
      const words = { out: typeof out === 'object' ? JSON.stringify(out) : out, err };
      for (const [kind, text] of Object.entries(words))
        if (text !== undefined) fs.writeFileSync(path.join(hooks, `${call}.${kind}`), text);
      if (note !== undefined) fs.writeFileSync(path.join(hooks, `${call.replace('probe', 'call')}.json`), note);
      socket.end(`${code}\n`);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { says, port: server.address().port, close: () => server.close() };
}

async function said(say, n, call) {
  const raw = fs.readFileSync(`${call}.input`, 'utf8');
  const cwd = fs.readFileSync(`${call}.folder`, 'utf8').replace(/\n$/, '');
  const variables = fs.readFileSync(`${call}.variables`, 'utf8').split('\0').filter(Boolean);
  const env = Object.fromEntries(variables.map((v) => [v.slice(0, v.indexOf('=')), v.slice(v.indexOf('=') + 1)]));
  const read = (file) => {
    try {
      return fs.readFileSync(path.resolve(cwd, file), 'utf8');
    } catch (e) {
      return e.code;
    }
  };
  let input = {};
  try {
    input = JSON.parse(raw);
  } catch {}
  try {
    const answer = await say(input, { n, env, cwd, raw, read, fs });
    const { note, code = 0, ...rest } = typeof answer === 'string' ? { note: answer } : (answer ?? {});
    return { ...rest, code, note: JSON.stringify({ hook_event_name: input.hook_event_name, message: note }) };
  } catch (e) {
    return { code: 1, err: e.stack };
  }
}

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
