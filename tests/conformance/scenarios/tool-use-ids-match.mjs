import { on, probe } from '../lib/probe.mjs';
import { bash, calls } from '../lib/calls.mjs';
const mark = (i, { fs, cwd }) => {
  const f = `${i.transcript_path.replace(/\/home\/.*/, '')}/ids.txt`;
  const word = i.tool_input?.command ?? '';
  if (i.hook_event_name === 'PreToolUse') { fs.appendFileSync(f, `${word}=${i.tool_use_id}\n`); return { note: 'noted' }; }
  const known = fs.readFileSync(f, 'utf8').split('\n');
  if (i.hook_event_name === 'PostToolBatch') return { note: i.tool_calls.map((c) => known.includes(`${c.tool_input.command}=${c.tool_use_id}`)) };
  return { note: [word, known.includes(`${word}=${i.tool_use_id}`)] };
};
// a call has one id in all its events
export default {
  settings: (ctx) => on(Object.fromEntries(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'].map((e) => [e, probe(ctx, e, mark)]))),
  args: ['--allowedTools', 'Bash'],
  keep: { noResults: true },
  model: calls(() => [bash('echo a'), bash('echo b'), bash('exit 3')]),
};
