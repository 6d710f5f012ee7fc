import fs from 'node:fs';
// the person may name files outside of the project
export default {
  prompt: 'Look at @../outside.txt and @~/home.txt and @link.txt',
  settings: (ctx) => {
    fs.writeFileSync(`${ctx.root}/outside.txt`, 'OUTSIDE-TEXT');
    fs.writeFileSync(`${ctx.root}/linked.txt`, 'LINKED-TEXT');
    fs.writeFileSync(`${ctx.root}/home/home.txt`, 'HOME-TEXT');
    fs.symlinkSync(`${ctx.root}/linked.txt`, `${ctx.proj}/link.txt`);
    return {};
  },
  keep: { firstTold: ['OUTSIDE-TEXT', 'HOME-TEXT', 'LINKED-TEXT'] },
  script: [{ text: 'one' }],
};
