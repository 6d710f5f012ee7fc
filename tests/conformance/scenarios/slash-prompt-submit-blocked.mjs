// UserPromptSubmit blocks a slash command: is it expanded first, is its shell run?
export default {
  prompt: '/go now',
  files: { '.claude/commands/go.md': '---\nallowed-tools: Bash(touch:*)\n---\nmade: !`touch made-by-slash` $ARGUMENTS' },
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('submit') }] }], UserPromptExpansion: [{ hooks: [{ type: 'command', command: hook('expand') }] }], SessionEnd: [{ hooks: [{ type: 'command', command: `test -e made-by-slash && ${hook('made')} || ${hook('notMade')}` }] }] } }),
  replies: { submit: [{ code: 2, err: 'no slash today' }] },
  script: [{ text: 'one' }],
};
