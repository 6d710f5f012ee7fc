const m = (hook, list) => list.map(([matcher, name]) => ({ matcher, hooks: [{ type: 'command', command: hook(name) }] }));
// matchers of events that are not about tools
export default {
  prompt: '/greet you',
  files: { '.claude/commands/greet.md': 'Say hello.' },
  settings: ({ hook }) => ({ hooks: {
    SessionStart: m(hook, [['startup', 's1'], ['resume', 's2'], ['startup|resume', 's3'], ['start.*', 's4'], ['Startup', 's5']]),
    SessionEnd: m(hook, [['other', 'e1'], ['clear', 'e2'], ['prompt_input_exit|other', 'e3'], ['^o', 'e4']]),
    UserPromptSubmit: m(hook, [['never', 'u1'], ['*', 'u2']]),
    UserPromptExpansion: m(hook, [['greet', 'x1'], ['other', 'x2'], ['gr.*', 'x3'], ['/greet', 'x4']]),
    SubagentStart: m(hook, [['general-purpose', 'a1'], ['Explore', 'a2'], ['general', 'a3'], ['^general', 'a4']]),
    SubagentStop: m(hook, [['general-purpose', 'b1'], ['Explore|general-purpose', 'b2'], ['purpose', 'b3']]),
    PostToolBatch: m(hook, [['Bash', 'p1']]),
  } }),
  keep: { noResults: true, anyWords: true },
  model: (b, { main }) => {
    if (!main) return { text: 'ok' };
    const n = b.messages.filter((x) => x.role === 'assistant').length;
    if (JSON.stringify(b.messages[0].content).includes('SUBTASK')) return { text: 'sub end' };
    return n ? { text: 'main end' } : { text: 'm', tools: [{ name: 'Agent', input: { description: 'sub', prompt: 'SUBTASK go', subagent_type: 'general-purpose', run_in_background: false } }] };
  },
};
