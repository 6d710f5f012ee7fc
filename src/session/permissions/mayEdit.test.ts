import { expect, it } from 'vitest';
import { mayEdit } from './mayEdit.ts';

it.each<[string, string, readonly string[], readonly string[], boolean]>([
  ['nothing is allowed', 'default', [], [], false],
  ['only one command', 'default', ['Bash(npm test)', 'Read'], [], false],
  ['an editing tool', 'default', ['Bash(npm test)', 'Edit'], [], true],
  ['an editing tool in a folder', 'default', ['Write(src/**)'], [], true],
  ['Bash without a limit', 'default', ['Bash'], [], true],
  ['Bash without a limit, written out', 'default', ['Bash(*)'], [], true],
  ['the mode', 'acceptEdits', [], [], true],
  ['the mode that asks nothing', 'bypassPermissions', [], [], true],
  ['a mode that denies what is not allowed', 'dontAsk', [], [], false],
  ['a mode that denies all but a rule', 'dontAsk', ['Edit'], [], true],
  ['allowed and taken away', 'default', ['Edit'], ['Edit'], false],
  ['denied for one folder only', 'default', ['Edit'], ['Edit(secrets/**)'], true],
  ['every tool taken away', 'bypassPermissions', [], ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Bash'], false],
  ['only Bash left', 'bypassPermissions', [], ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'], true],
  ['only Bash left, which is asked for', 'acceptEdits', [], ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'], false],
  ['a name in lower case allows nothing', 'default', ['edit'], [], false],
])('%s', (_what, mode, allow, deny, may) => {
  expect(mayEdit({ mode, allow, deny })).toBe(may);
});
