import { describe, expect, it } from 'vitest';
import { askedSeconds } from './askedTime.ts';
import { decideLanding, landingStage } from './decideLanding.ts';
import { type LandingPurpose, landingPurpose } from './landingCommand.ts';

const bash = (command: string, timeout?: number) => ({ tool: 'Bash', input: { command, ...(timeout && { timeout }) } });

describe('askedSeconds', () => {
  it.each<[ReturnType<typeof bash>, number | null]>([
    [bash('make'), null],
    [bash('make', 1_200_000), 1200],
    [bash('sleep 900'), 900],
    [bash('cd x && sleep 20m; echo'), 1200],
    [bash('timeout 30m make', 60_000), 1800],
    [bash('timeout -k 5 2h make'), 7200],
    [bash('echo sleeping 900 times'), null],
    [bash('grep "sleep 900" x'), null],
  ])('%o: %s', (call, seconds) => {
    expect(askedSeconds(call)).toBe(seconds);
  });

  it('asks only Bash', () => {
    expect(askedSeconds({ tool: 'Read', input: { timeout: 9e9 } })).toBeNull();
  });
});

describe('landingPurpose', () => {
  it.each<[string, LandingPurpose]>([
    ['git status', 'read'],
    ['git -C /x diff --stat | head -5', 'read'],
    ['cat a 2>&1 | grep b >/dev/null', 'read'],
    ['git add -A && git commit -m "fix: a > b; rm -rf $HOME"', 'commit'],
    ["git commit -m 'it`s $(fine)'", 'commit'],
    ['npm test', 'test'],
    ['npm run test:unit -- --watch=false', 'test'],
    ['CI=1 npx vitest run && git commit -am x', 'test'],
    ['python -m pytest -q', 'test'],
    ['cargo test --all', 'test'],
    ['make check', 'test'],
    ['npm install', 'other'],
    ['npm run build', 'other'],
    ['cargo build', 'other'],
    ['rm -rf x', 'other'],
    ['git checkout main', 'other'],
    ['git reset --hard', 'other'],
    ['cat > file', 'other'],
    ['echo x >> file', 'other'],
    ['echo $(rm x)', 'other'],
    ['git commit -m "$(rm x)"', 'other'],
    ['git status; python edit.py', 'other'],
    ['git status\npython edit.py', 'other'],
    ['find . -delete', 'other'],
    ['sort -o x x', 'other'],
    ['true & python edit.py', 'other'],
    ['', 'read'],
    [`git add -A && git commit -m "$(cat <<'EOF'\nFix: a > b; rm $(x)\n\nMore.\nEOF\n)"`, 'commit'],
    ['git commit -m "$(cat <<EOF\n$(rm x)\nEOF\n)"', 'other'],
    ['timeout 60 npm test', 'test'],
    ['time npm test', 'test'],
    ['uv run pytest -q', 'test'],
    ['poetry run pytest', 'test'],
    ['uv run edit.py', 'other'],
    ['sed -n 1p a', 'read'],
    ['sed -i s/a/b/ f', 'other'],
    ['/usr/bin/git status', 'read'],
    ['env python edit.py', 'other'],
    ['FOO=1 env sh -c x', 'other'],
    ['git branch', 'read'],
    ['git branch -D main', 'other'],
    ['git config core.pager x', 'other'],
    ['git -c alias.status=!sh status', 'other'],
    ['git -c user.name=a commit -m x', 'commit'],
    ['git diff --output=f', 'other'],
    ['git remote add x y', 'other'],
    ['git restore .', 'other'],
    ['git rm -rf .', 'other'],
    ['git stash', 'other'],
    ['git tag -d x', 'other'],
    ['git push', 'commit'],
    ['git push --force', 'other'],
    ['date -s 1', 'other'],
    ['find . -fls x', 'other'],
  ])('%s: %s', (command, purpose) => {
    expect(landingPurpose(command)).toBe(purpose);
  });
});

describe('landing', () => {
  it.each([
    [3600, null, 'flying'],
    [120, null, 'flying'],
    [119, null, 'lastStretch'],
    [0, 60, 'grace'],
    [-30, 30, 'grace'],
    [-40, 20, 'reportOnly'],
    [-900, null, 'grace'],
    [-1, 7, 'grace'],
    [-4, 4, 'reportOnly'],
  ])('%i s left, %s s of grace: %s', (remainingSeconds, graceSecondsLeft, stage) => {
    expect(landingStage({ remainingSeconds, graceSecondsLeft })).toBe(stage);
  });

  const decide = (
    call: ReturnType<typeof bash> | { tool: string; input: object },
    remainingSeconds: number,
    grace = 60,
  ) => decideLanding(call as ReturnType<typeof bash>, { remainingSeconds, graceSecondsLeft: grace + remainingSeconds });

  // incident 30 of USER_NEEDS: a deadline five minutes away, a tool of twenty minutes
  it('refuses a tool that asks for more time than is left', () => {
    expect(decide(bash('make all', 1_200_000), 300)).toEqual({
      type: 'refuse',
      reason:
        'This asks for 20m00s, but only 5m00s of the time budget are left. Ask for less, or commit what you have.',
    });
    expect(decide(bash('make all', 240_000), 300)).toEqual({ type: 'pass' });
    expect(decide({ tool: 'Edit', input: {} }, 300)).toEqual({ type: 'pass' });
  });

  it('lets commits, tests and reads through the last stretch, and nothing else', () => {
    for (const call of [bash('git commit -am x'), bash('npm test'), { tool: 'Read', input: {} }]) {
      expect(decide(call, 60)).toEqual({ type: 'pass' });
    }
    for (const call of [bash('npm install'), { tool: 'Edit', input: {} }, { tool: 'Agent', input: {} }]) {
      expect(decide(call, 60)).toMatchObject({ type: 'refuse', reason: expect.stringContaining('Only 1m00s') });
    }
  });

  it('lets commits and reads through the grace, and keeps its end for a report', () => {
    expect(decide(bash('git commit -am x'), -10)).toEqual({ type: 'pass' });
    expect(decide(bash('npm test'), -10)).toMatchObject({ type: 'refuse' });
    expect(decide(bash('git commit -am x'), -45)).toMatchObject({
      type: 'refuse',
      reason: expect.stringContaining('Answer now'),
    });
    expect(decide({ tool: 'Read', input: {} }, -45)).toMatchObject({ type: 'refuse' });
  });
});
