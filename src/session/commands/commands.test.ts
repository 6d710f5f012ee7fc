import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../testing/tempFolder.ts';
import { readFrontMatter } from '../frontMatter.ts';
import { TRUSTED, UNTRUSTED } from '../trust/folderTrust.ts';
import { fillArguments } from './fillArguments.ts';
import { findCommand } from './findCommand.ts';

describe('fillArguments', () => {
  it.each([
    ['Say $ARGUMENTS.', 'a b', 'Say a b.'],
    ['$0 then $1', '"big wide" world', 'big wide then world'],
    ['$1 and $2', 'one two', 'two and $2'],
    ['at $ARGUMENTS[1]', "x 'y z'", 'at y z'],
    ['Say hello.', 'the world', 'Say hello.\n\nARGUMENTS: the world'],
    ['Say hello.', '', 'Say hello.'],
    ['All: [$ARGUMENTS]', '', 'All: []'],
    ['$HOME and $5', 'a', '$HOME and $5\n\nARGUMENTS: a'],
    ['$ARGUMENTS', '$0 $ARGUMENTS', '$0 $ARGUMENTS'],
  ])('%j with %j', (text, args, expected) => {
    expect(fillArguments(text, args)).toBe(expected);
  });

  it('knows names', () => {
    expect(fillArguments('Meet $who at $where', 'a b', ['who', 'where'])).toBe('Meet a at b');
  });
});

describe('readFrontMatter', () => {
  it.each([
    ['no block', {}, 'no block'],
    ['---\nname: x\ntools: [Read, "Grep"]\n---\nbody', { name: 'x', tools: ['Read', 'Grep'] }, 'body'],
    ['---\r\ntools:\r\n  - Read\r\n  - Bash(git *)\r\n---\r\nbody', { tools: ['Read', 'Bash(git *)'] }, 'body'],
    ['---\nnever closed', {}, '---\nnever closed'],
    ['---\n---\nbody', {}, 'body'],
    ['---\nname: a---\n---\nbody', { name: 'a---' }, 'body'],
    [
      '---\nhooks:\n  Stop:\n    - hooks: [{type: command}]\n---\n',
      { hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } },
      '',
    ],
    // what people write and strict YAML refuses
    [
      '---\ndescription: Use when: it "matters"\nname: x\n---\n',
      { description: 'Use when: it "matters"', name: 'x' },
      '',
    ],
    ['---\nargument-hint: [a] [b]\ntools: [Read]\n---\n', { 'argument-hint': '[a] [b]', tools: ['Read'] }, ''],
  ])('%j', async (text, fields, body) => {
    expect(await readFrontMatter(text)).toMatchObject({ fields, body });
    expect((await readFrontMatter(text)).problem).toBeUndefined();
  });

  it.each([
    ['---\nname: x\nhooks:\n  Stop: [\n---\nbody', 5],
    ['---\nname: x\nhooks:\n  Stop: {a: b: c}\n---\nbody', 4],
    ['---\nname: x\n\tmodel: y\n---\nbody', 3],
    ['---\n- a\n- b\n---\nbody', 2],
    ['---\njust words\n---\nbody', 2],
  ])('names the line of what is wrong in %j', async (text, line) => {
    const { fields, body, problem } = await readFrontMatter(text);
    expect({ fields, body, line: problem?.line }).toEqual({ fields: {}, body: 'body', line });
    expect(problem?.message).toMatch(/\w/);
  });

  it('does not expand aliases without measure', async () => {
    const levels = Array.from({ length: 12 }, (_, n) => `a${n + 1}: &a${n + 1} [${`*a${n},`.repeat(10)}]`);
    const text = `---\na0: &a0 [x]\n${levels.join('\n')}\n---\nbody`;
    expect(await readFrontMatter(text)).toMatchObject({ fields: {}, problem: { line: 2 } });
  });

  it('knows the line of a nested field', async () => {
    const { lineOf } = await readFrontMatter('---\nname: x\nhooks:\n  Stop:\n    - type: command\n---\n');
    expect([lineOf(['name']), lineOf(['hooks', 'Stop', 0]), lineOf(['nothing'])]).toEqual([2, 5, undefined]);
  });
});

describe('findCommand', () => {
  it("finds the project's before the person's, in folders and as skills; an untrusted one grants nothing", async () => {
    await using folder = await tempFolder();
    const write = (file: string, text: string) => {
      const target = path.join(folder.path, file);
      mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(target, text);
    };
    write('project/.claude/commands/deep/greet.md', '---\nallowed-tools: Bash(git *), Read\nmodel: haiku\n---\nDeep');
    write('home/commands/greet.md', 'Mine');
    write('project/.claude/skills/pack/SKILL.md', 'Pack');
    const places = {
      projectDir: path.join(folder.path, 'project'),
      userDir: path.join(folder.path, 'home'),
      trust: UNTRUSTED,
    };
    expect(await findCommand('/deep:greet you', places)).toMatchObject({
      name: 'deep:greet',
      args: 'you',
      source: 'projectSettings',
      text: 'Deep',
      allowedTools: [],
      model: 'haiku',
      trusted: false,
    });
    expect((await findCommand('/deep:greet', { ...places, trust: TRUSTED }))?.allowedTools).toEqual([
      'Bash(git *)',
      'Read',
    ]);
    expect(await findCommand('/greet', places)).toMatchObject({ source: 'userSettings', text: 'Mine', trusted: true });
    expect(await findCommand('/pack', places)).toMatchObject({
      baseDir: path.join(places.projectDir, '.claude/skills/pack'),
    });
    for (const prompt of ['/nothere', 'greet', '/../home/commands/greet', '/etc/passwd is a file']) {
      expect(await findCommand(prompt, places)).toBeUndefined();
    }
  });
});
