import { bash, hooksOn } from '../lib/steps.mjs';
// which commands acceptEdits lets run: those that PermissionRequest is not asked about
export default {
  settings: hooksOn({ PermissionRequest: 'asked' }),
  args: ['--permission-mode', 'acceptEdits'],
  keep: { noResults: true },
  files: { 'a.txt': 'one\n', 'b.txt': 'two\n' },
  replies: { asked: [{}] },
  script: ['mkdir -p x/y', 'touch c.txt', 'cp a.txt d.txt', 'mv d.txt e.txt', 'rm e.txt', 'rm -rf x', 'rmdir y', "sed -i 's/one/uno/' a.txt", 'echo hi > f.txt', 'echo hi >> f.txt', 'mkdir ../z', 'rm -rf .', 'touch .git/config', 'touch g.txt && echo done', 'mkdir "$HOME/x"', 'X=1 touch h.txt', 'tee i.txt < a.txt', 'ln -s a.txt l', 'chmod +x a.txt', 'rm *.txt', 'touch $(echo j)', 'touch .claude/settings.json', 'timeout 5 touch k.txt', "sed -i 's/a/b/w out' a.txt"].map((c) => bash(c)).concat([{ text: 'finished' }]),
};
