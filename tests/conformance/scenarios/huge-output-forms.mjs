import { bash, calls } from '../lib/calls.mjs';
// about a megabyte on stdout or stderr of hooks, with and without JSON at its end
export default {
  settings: (ctx) => ({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'head -c 1500000 /dev/zero | tr "\\\\0" x' }, { type: 'command', command: 'head -c 1500000 /dev/zero | tr "\\\\0" y >&2' }] }], PostToolUse: [{ hooks: [{ type: 'command', command: `printf '{"decision":"block","reason":"'; head -c 900000 /dev/zero | tr "\\\\0" z; printf '"}'` }] }], Stop: [{ hooks: [{ type: 'command', command: ctx.hook('stop') }] }] } }),
  args: ['--allowedTools', 'Bash'],
  keep: { anyWords: true },
  model: calls(bash('echo hi')),
};
