import { bash, calls } from '../lib/calls.mjs';
// prompt hooks on PostToolUseFailure and PostToolBatch
export default {
  settings: { hooks: { PostToolUseFailure: [{ hooks: [{ type: 'prompt', prompt: 'JUDGE failure' }] }], PostToolBatch: [{ hooks: [{ type: 'prompt', prompt: 'JUDGE batch' }] }] } },
  args: ['--allowedTools', 'Bash'],
  model: (b, m) => {
    const all = JSON.stringify(b);
    if (!m.main && all.includes('JUDGE failure')) return { text: '{"ok":false,"reason":"bad failure"}' };
    if (!m.main && all.includes('JUDGE batch')) return { text: all.includes('echo two') ? '{"ok":false,"reason":"bad batch"}' : '{"ok":true}' };
    return calls(bash('exit 3'), bash('echo two'))(b, m);
  },
};
