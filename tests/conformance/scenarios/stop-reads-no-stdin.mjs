import fs from 'node:fs';
// hooks that never read, or end at once, while the input is larger than a pipe holds
export default {
  settings: ({ root }) => ({ hooks: { Stop: [{ hooks: [{ type: 'command', command: `[ -e ${root}/seen1 ] || { touch ${root}/seen1; echo deaf >&2; exit 2; }` }, { type: 'command', command: `exec 0<&-; [ -e ${root}/seen2 ] || { touch ${root}/seen2; echo closed >&2; exit 2; }` }, { type: 'command', command: 'true' }] }] } }),
  script: [{ text: 'long '.repeat(30000) }, { text: 'two' }],
};
