// JSON with text before or behind it, two objects, and JSON on stderr
export default {
  settings: ({ hook }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('before') }, { type: 'command', command: hook('behind') }, { type: 'command', command: hook('two') }, { type: 'command', command: hook('stderr') }, { type: 'command', command: hook('blanks') }] }] } }),
  replies: { before: [{ out: 'Checking…\n{"decision":"block","reason":"before"}' }, {}], behind: [{ out: '{"decision":"block","reason":"behind"}\nDone.' }, {}], two: [{ out: '{"systemMessage":"x"}\n{"decision":"block","reason":"two"}' }, {}], stderr: [{ err: '{"decision":"block","reason":"stderr"}' }, {}], blanks: [{ out: '\n\n  {"decision":"block","reason":"blanks"}  \n' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }],
};
