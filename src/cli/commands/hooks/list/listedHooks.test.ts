import { describe, expect, it } from 'vitest';
import { configureHooks, type HookPolicy } from '../../../../hooks/configure/configureHooks.ts';
import type { HookSource } from '../../../../session/settings/types.ts';
import { NOT_TRUSTED } from '../../../../session/trust/folderTrust.ts';
import { countHooks, countText, listHooks } from './listedHooks.ts';

const command = { type: 'command', command: 'npm test' };

function list(hooks: unknown, { source = 'user' as HookSource['source'], policy = {} as HookPolicy } = {}) {
  const layer = { source, file: 's.json', hooks, text: JSON.stringify({ hooks }, null, 2) };
  return listHooks(configureHooks([{ ...layer, value: hooks }], policy), [layer]);
}

describe('listHooks', () => {
  it.each<[string, unknown, HookPolicy, string | null]>([
    ['a plain hook', { Stop: [command] }, {}, null],
    ['one that is switched off', { Stop: [command] }, { disableAllHooks: 'exceptManaged' }, 'disableAllHooks is set'],
    ['one beside managed ones', { Stop: [command] }, { allowManagedHooksOnly: true }, 'only managed hooks are allowed'],
    ['an event that is not fired', { DirectoryAdded: [command] }, {}, 'this agent does not fire DirectoryAdded'],
    [
      'a kind that the event does not know',
      { SessionStart: [{ type: 'prompt', prompt: 'x' }] },
      {},
      'prompt hooks do not run on SessionStart, only command, mcp_tool',
    ],
    [
      'an `if` that is never evaluated',
      { Stop: [{ ...command, if: 'Bash(x)' }] },
      {},
      '`if` is only evaluated on tool events; with it a hook never runs on Stop',
    ],
    ['a matcher, whatever it will meet', { PreToolUse: [{ ...command, matcher: 'Edit' }] }, {}, null],
    ['a message matcher', { Stop: [{ ...command, matcher: { pattern: 'done' } }] }, {}, null],
  ])('finds out whether %s runs', (_, hooks, policy, reason) => {
    const [one] = list(hooks, { policy }).hooks;
    expect(one?.whyNot).toBe(reason);
    expect(one?.notes).toEqual([]);
  });

  it('names the command that trusts an untrusted project', () => {
    const { hooks } = list({ Stop: [command] }, { source: 'project', policy: { whyNotTrusted: () => NOT_TRUSTED } });
    expect(hooks[0]?.whyNot).toContain('stopgate trust');
  });

  it('notes fields without effect at their hooks', () => {
    const group = { mathcer: 'Bash', hooks: [command, { ...command, command: 'b', tiemout: 3 }] };
    const { hooks, broken } = list({ PostToolUse: [group], PreToolUse: [{ matcher: '(', hooks: [command] }] });
    expect(broken).toEqual([]);
    expect(hooks.map(({ notes }) => notes)).toEqual([
      ['"mathcer" is not a known field and has no effect; did you mean "matcher"?'],
      [
        '"mathcer" is not a known field and has no effect; did you mean "matcher"?',
        '"tiemout" is not a known field and has no effect; did you mean "timeout"?',
      ],
      ['"(" is not a regular expression, so it matches nothing'],
    ]);
  });

  it('counts an entry with several mistakes once, and finds its event', () => {
    const bad = { type: 'command', command: 1, timeout: 'x' };
    const { broken } = list({ Stop: [{ hooks: [command, bad] }], Stopp: [command] });
    expect(broken).toMatchObject([
      { event: 'Stop', path: 'hooks.Stop[0].hooks[1]', line: 12, problems: [{}, {}].map(() => expect.any(String)) },
      { path: 'hooks.Stopp', problems: ['hooks.Stopp: "Stopp" is not an event; did you mean "Stop"?'] },
    ]);
    expect(broken[1]).not.toHaveProperty('event');
  });

  it('finds the event of a broken entry in the list form', () => {
    const { broken } = list([{ event: 'Stop', ...command }, { event: 'Stop', type: 'comand' }, { type: 'command' }]);
    expect(broken.map(({ event, path }) => [event, path])).toEqual([
      ['Stop', 'hooks[1]'],
      [undefined, 'hooks[2]'],
    ]);
  });

  it('counts', () => {
    const all = list({ Stop: [command, { type: 'nothing' }], DirectoryAdded: [command] });
    expect(countHooks(all)).toEqual({ total: 3, run: 1, skipped: 1, broken: 1 });
    expect(countText(countHooks(all))).toBe('3 hooks: 1 run, 1 skipped, 1 broken.');
    expect(countText(countHooks(list({ Stop: [command] })))).toBe('1 hook: 1 run, 0 skipped, 0 broken.');
  });
});
