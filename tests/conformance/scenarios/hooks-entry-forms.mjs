import { bash, calls } from '../lib/calls.mjs';
// entries with missing, empty and unknown fields beside good ones
export default {
  settings: ({ hook }) => ({ hooks: { PreToolUse: [
    { matcher: 'Bash', hooks: [] },
    { hooks: [{ type: 'command', command: hook('unknownfield'), nonsense: true }] },
    { hooks: [{ type: 'command', command: hook('status'), statusMessage: 'checking' }] },
    { matcher: 'Bash', description: 'd', hooks: [{ type: 'command', command: hook('group') }] },
  ], Stop: [{ hooks: [{ type: 'command', command: `  ${hook('spaces')}  ` }] }] } }),
  args: ['--allowedTools', 'Bash'],
  model: calls(bash('echo hi')),
};
