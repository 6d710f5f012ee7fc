import { bash, calls, fate, write } from '../lib/calls.mjs';
import { on, probe } from '../lib/probe.mjs';
// a PermissionRequest hook that allows and changes the mode or the rules: what is asked about after that
export default {
  settings: (ctx) => { const h = on({ PermissionRequest: probe(ctx, 'ask', (i, { n }) => { const d = (decision) => ({ note: [i.tool_name, i.permission_mode], out: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } } }); if (n === 1) return d({ behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }); if (n === 2) return d({ behavior: 'allow', updatedPermissions: [{ type: 'addRules', rules: [{ toolName: 'Bash', ruleContent: 'node *' }], behavior: 'allow', destination: 'session' }] }); return d({ behavior: 'deny', message: 'no more' }); }) }); return { hooks: { ...h.hooks, ...Object.fromEntries(Object.entries(fate(ctx)).filter(([k]) => k !== 'PermissionRequest')) } }; },
  keep: { order: true },
  model: calls(write('a.txt'), write('b.txt'), bash('node -e "1"'), bash('node -e "2"'), bash('npm --version --x')),
  keep: { noResults: true },
};
