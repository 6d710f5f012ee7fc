// other exit codes, with and without words
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [3, 64, 126, 127, 130, 137, 255].map((c) => ({ hooks: [{ type: 'command', command: hook(`c${c}`) }] })) } }),
  replies: Object.fromEntries([3, 64, 126, 127, 130, 137, 255].map((c) => [`c${c}`, [{ code: c, err: `code ${c}` }]])),
  script: [{ text: 'one' }, { text: 'two' }],
};
