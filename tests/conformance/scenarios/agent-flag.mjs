import { bash, calls, watch, write } from '../lib/calls.mjs';

// --agent: the session is that agent, with its tools alone; hooks are told its type
export default {
  files: {
    '.claude/agents/looker.md': '---\nname: looker\ndescription: Looks\ntools: Bash, Read, Edit, NotebookEdit\nmodel: sonnet\n---\nYou look.',
  },
  settings: (ctx) => ({ hooks: watch(ctx, 'SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd') }),
  args: ['--agent', 'looker', '--allowedTools', 'Bash,Write'],
  keep: { noResults: true },
  model: (b, facts) => {
    // what the agent is, seen by the model: its words and what it may call
    const system = JSON.stringify(b.system);
    const names = (b.tools ?? []).map(({ name }) => name);
    const is = system.includes('You look.') && /sonnet/.test(b.model) && names.includes('Read') && !names.includes('Write');
    if (!is) return { text: 'not the looker' };
    // the words of context beside a result are each agent's own
    return calls(bash('echo hi'), write('w.txt'))(b, facts);
  },
};
