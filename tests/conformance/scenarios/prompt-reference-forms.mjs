// quotes, folders, lines, names without a file, punctuation
export default {
  prompt: 'See @part.txt#L2-3, @sub/ and @missing.txt, also @"with space.txt", not me@mail.txt, but @end.txt.',
  files: {
    'part.txt': 'ONE\nTWO\nTHREE\nFOUR\n',
    'sub/inner-name.txt': 'INNER-TEXT',
    'with space.txt': 'SPACED-TEXT',
    'mail.txt': 'MAIL-TEXT',
    'end.txt': 'END-TEXT',
  },
  settings: {},
  keep: { firstTold: ['ONE', 'TWO', 'THREE', 'FOUR', 'inner-name', 'INNER-TEXT', 'SPACED-TEXT', 'MAIL-TEXT', 'END-TEXT'] },
  script: [{ text: 'one' }],
};
