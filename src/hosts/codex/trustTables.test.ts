import { describe, expect, it } from 'vitest';
import { trustIn, trustTables } from './trustTables.ts';

const KEY = '/h/.codex/hooks.json:stop:0:0';
const OTHER = '/p/.codex/hooks.json:stop:0:0';
const entry = (key: string, hash = 'sha256:1') => ({ key, text: hash });

function added(text: string, ...entries: ReturnType<typeof entry>[]): string {
  const edit = trustTables.add(text, entries);
  if (edit.type === 'broken') throw new Error(edit.message);
  return edit.text;
}

describe('the tables of trust', () => {
  it.each([
    '',
    'model = "x"',
    'model = "x"\n',
    '# mine\n\n[a]\nb = 1\n\n',
    '[hooks.state."/mine:stop:0:0"]\n',
    '[features]\nhooks = true\n',
  ])('are added to and removed from %j without a trace', (text) => {
    const whole = added(text, entry(KEY), entry(OTHER));
    expect(trustTables.owned(whole)).toEqual({ type: 'found', keys: [KEY, OTHER] });
    expect(trustIn(whole)(KEY)).toBe('sha256:1');
    expect(trustTables.remove(whole)).toEqual({ type: 'edited', text });
  });

  it('leave a table that Codex added behind them', () => {
    const theirs = '\n[projects."/p"]\ntrust_level = "trusted"\n';
    const whole = `${added('a = 1\n', entry(KEY))}${theirs}`;
    expect(trustTables.remove(whole)).toEqual({ type: 'edited', text: `a = 1\n${theirs}` });
  });

  it('replace their own hash, and keep one that is wanted elsewhere', () => {
    const whole = added(added('a = 1\n', entry(KEY), entry(OTHER)), entry(KEY, 'sha256:2'), entry(OTHER));
    expect(trustIn(whole)(KEY)).toBe('sha256:2');
    const left = trustTables.remove(whole, { keeps: (key) => key === OTHER });
    expect(trustTables.owned(left.type === 'edited' ? left.text : '')).toEqual({ type: 'found', keys: [OTHER] });
  });

  it.each([
    [`a = 1\n[hooks.state."${KEY}"]\ntrusted_hash = "sha256:9"\n`, 2, /has the place of a hook/],
    [`[ hooks . state . '${KEY}' ]\n`, 1, /has the place of a hook/],
    ['hooks = { Stop = [] }\n', 1, /written as a value/],
    ['hooks.state = {}\n', 1, /written as a value/],
    ['[x]\n[hooks]\nstate = {}\n', 3, /written as a value/],
  ])('are refused where they would break the file: %j', (text, line, message) => {
    expect(trustTables.add(text, [entry(KEY)])).toMatchObject({
      type: 'broken',
      line,
      message: expect.stringMatching(message),
    });
  });
});

it('knows no trust for a hook that is switched off, and none of another table', () => {
  expect(trustIn(`[hooks.state."${KEY}"]\ntrusted_hash = "x"\nenabled = false\n`)(KEY)).toBeUndefined();
  expect(trustIn(`[hooks.state."${KEY}"]\n[b]\ntrusted_hash = "x"\n`)(KEY)).toBeUndefined();
});
