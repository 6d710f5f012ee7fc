import fs from 'node:fs';
import path from 'node:path';
// --settings with a file
export default {
  settings: {},
  args: ({ root, hook }) => { fs.writeFileSync(path.join(root, 'more.json'), JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: hook('file') }] }] } })); return ['--settings', path.join(root, 'more.json')]; },
  replies: { file: [{ code: 2, err: 'from the file' }, {}] },
  script: [{ text: 'one' }, { text: 'two' }],
};
