import { describe, expect, it } from 'vitest';
import { asksAboutJobs, decideSwitches, jobDirOf, recallsMemory, type SwitchFacts } from './switches.ts';

const facts = (more: Partial<SwitchFacts> = {}): SwitchFacts => ({ env: {}, interactive: false, bare: false, ...more });

describe('decideSwitches', () => {
  it.each<[string, Partial<SwitchFacts>, boolean]>([
    ['headless', {}, false],
    ['headless, turned on by a variable', { env: { STOPGATE_ENABLE_MEMORY: '1' } }, true],
    ['headless, turned on in settings', { memorySetting: true }, true],
    ['a terminal session', { interactive: true }, true],
    ['off in settings with the variable set', { memorySetting: false, env: { STOPGATE_ENABLE_MEMORY: '1' } }, false],
    ['off in settings, in a terminal', { memorySetting: false, interactive: true }, false],
    ['off by variable with the setting on', { memorySetting: true, env: { STOPGATE_DISABLE_MEMORY: '1' } }, false],
    ['the enabling variable set to 0', { memorySetting: true, env: { STOPGATE_ENABLE_MEMORY: '0' } }, false],
    ['started by another agent', { memorySetting: true, env: { STOPGATE: '1' } }, false],
    ['bare, turned on', { bare: true, memorySetting: true }, false],
    ['a setting that is not a boolean', { memorySetting: 'yes' }, false],
  ])('memory: %s', (_name, more, on) => {
    const switches = decideSwitches(facts(more));
    expect(switches.memory_extraction.on).toBe(on);
    expect(switches.memory_extraction.reason).not.toBe('');
    expect(switches.auto_dream.on).toBe(on);
  });

  it.each<[string, Partial<SwitchFacts>, boolean, RegExp]>([
    ['headless', {}, false, /off in headless/],
    ['a terminal session', { interactive: true }, true, /terminal/],
    [
      'turned off',
      { interactive: true, env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '0' } },
      false,
      /PROMPT_SUGGESTION=0/,
    ],
    ['turned off by false', { interactive: true, env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: 'false' } }, false, /false/],
    [
      'turned off by the name that Claude Code reads',
      { interactive: true, env: { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: 'false' } },
      false,
      /CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION=false/,
    ],
    [
      'an off overrides an on, under either name',
      {
        interactive: true,
        env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '1', CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: '0' },
      },
      false,
      /CLAUDE_CODE/,
    ],
    ['bare', { interactive: true, bare: true }, false, /--bare/],
    ['turned on in headless', { env: { STOPGATE_ENABLE_PROMPT_SUGGESTION: '1' } }, false, /off in headless/],
  ])('suggestion: %s', (_name, more, on, reason) => {
    const { prompt_suggestion: suggestion } = decideSwitches(facts(more));
    expect(suggestion.on).toBe(on);
    expect(suggestion.reason).toMatch(reason);
  });

  it.each([
    ['no directory', {}, undefined],
    ['ours', { STOPGATE_JOB_DIR: '/a' }, '/a'],
    ["Claude Code's", { CLAUDE_JOB_DIR: '/b' }, '/b'],
    ['both: ours', { STOPGATE_JOB_DIR: '/a', CLAUDE_JOB_DIR: '/b' }, '/a'],
    ['an empty one beside', { STOPGATE_JOB_DIR: '', CLAUDE_JOB_DIR: '/b' }, '/b'],
  ])('job directory: %s', (_name, env, jobDir) => {
    expect(jobDirOf(env)).toBe(jobDir);
    expect(decideSwitches(facts({ env })).job_classification.on).toBe(jobDir !== undefined);
  });

  it('a dream can be turned off alone, and never runs without memory', () => {
    expect(decideSwitches(facts({ memorySetting: true, env: { STOPGATE_DISABLE_DREAM: '1' } })).auto_dream.on).toBe(
      false,
    );
    expect(decideSwitches(facts()).auto_dream.reason).toMatch(/memory is off/);
  });

  it('recalls what is there unless memory was turned off', () => {
    expect(recallsMemory(facts())).toBe(true);
    expect(recallsMemory(facts({ env: { STOPGATE_DISABLE_MEMORY: 'true' } }))).toBe(false);
    expect(recallsMemory(facts({ memorySetting: false }))).toBe(false);
    expect(recallsMemory(facts({ bare: true }))).toBe(false);
    expect(recallsMemory(facts({ env: { STOPGATE: '1' } }))).toBe(true);
  });

  it('asks no model about a job in bare mode or when turned off', () => {
    expect(asksAboutJobs(facts())).toBe(true);
    expect(asksAboutJobs(facts({ bare: true }))).toBe(false);
    expect(asksAboutJobs(facts({ env: { STOPGATE_DISABLE_JOB_MODEL: '1' } }))).toBe(false);
  });
});
