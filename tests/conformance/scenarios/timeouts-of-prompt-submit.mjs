// UserPromptSubmit hooks that take too long: fractions, zero, a number in quotes
export default {
  settings: ({ hook }) => ({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command: hook('slow'), timeout: 0.3 }, { type: 'command', command: hook('zero'), timeout: 0 }, { type: 'command', command: hook('text'), timeout: '5' }, { type: 'command', command: hook('minus'), timeout: -1 }] }], Stop: [{ hooks: [{ type: 'command', command: hook('stop') }] }] } }),
  keep: { firstTold: ['SLOW', 'ZERO', 'TEXT', 'MINUS'] },
  replies: { slow: [{ out: 'SLOW', sleep: 2 }], zero: [{ out: 'ZERO' }], text: [{ out: 'TEXT' }], minus: [{ out: 'MINUS' }] },
  script: [{ text: 'one' }],
};
