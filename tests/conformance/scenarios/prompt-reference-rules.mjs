// deny rules hold for a file that the prompt names, ask rules do not
export default {
  prompt: 'Look at @secret.txt and @asked.txt',
  files: { 'secret.txt': 'SECRET-TEXT', 'asked.txt': 'ASKED-TEXT' },
  settings: { permissions: { deny: ['Read(./secret.txt)'], ask: ['Read(./asked.txt)'] } },
  keep: { firstTold: ['SECRET-TEXT', 'ASKED-TEXT'] },
  script: [{ text: 'one' }],
};
