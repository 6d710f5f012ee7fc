// references to a folder, a missing file, one with a space, a line range, the same twice, inside a word
export default {
  prompt: 'Look at @dir and @missing.txt and @"with space.txt" and @a.txt#L2-3 and @a.txt and mail@b.txt and (@b.txt) @c.txt.',
  files: { 'dir/one.txt': 'IN-DIR', 'with space.txt': 'SPACED', 'a.txt': 'A1\nA2\nA3\nA4\n', 'b.txt': 'BBB', 'c.txt': 'CCC' },
  keep: { firstTold: ['one.txt', 'IN-DIR', 'SPACED', 'A1', 'A2', 'A4', 'BBB', 'CCC', 'File does not exist'] },
  script: [{ text: 'one' }],
};
