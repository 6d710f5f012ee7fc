// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what looks like a template is shell
import { describe, expect, it } from 'vitest';
import { askedSeconds } from './askedTime.ts';
import { decideLanding, landingStage } from './decideLanding.ts';
import type { LandingPurpose } from './gitPurpose.ts';
import { landingPurpose } from './landingCommand.ts';

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
    [bash("git commit -F - <<'EOF'\nWhy\n\nsleep 900\nEOF"), null],
    [bash('(sleep 0.5m && make) & wait'), 30],
  ])('%o: %s', (call, seconds) => {
    expect(askedSeconds(call)).toBe(seconds);
  });

  it('reads only Bash', () => {
    expect(askedSeconds({ tool: 'Read', input: { timeout: 9e9 } })).toBeNull();
  });
});

describe('landingPurpose', () => {
  it.each(Object.getOwnPropertyNames(Object.prototype))('knows no program called %s', (name) => {
    expect(landingPurpose(`${name}; make build`)).toBe('other');
    expect(landingPurpose(`git ${name}`)).toBe('other');
    expect(landingPurpose(`npm ${name}`)).toBe('other');
  });

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
    ['git stash', 'commit'],
    ['git tag -d x', 'other'],
    ['git push', 'commit'],
    ['git push --force', 'other'],
    ['date -s 1', 'other'],
    ['find . -fls x', 'other'],
    // commits as agents write them
    ["git commit -F - <<'EOF'\nFix: a > b; rm $(x)\n\nsleep 900\nEOF", 'commit'],
    ['git add -A && git commit -F- <<EOF\nit costs $5\nEOF\n', 'commit'],
    ["git commit -m \"$(cat <<'EOF'\nFix (#12): don't `rm` it\n\nCo-Authored-By: x <a@b>\nEOF\n)\"", 'commit'],
    ['cd app && git add . && git commit -q -m \'a\' -m "b" 2>&1 | tail -3', 'commit'],
    ["cat > /tmp/msg.txt <<'EOF'\nwords\nEOF\ngit commit -F /tmp/msg.txt", 'commit'],
    ['git checkout -b fix/x && git commit -am x', 'commit'],
    ['git switch -c x && git add -A && git commit -m x', 'commit'],
    ['git rm old.txt && git commit -m x', 'commit'],
    ['git rm -r --cached dist; git commit -m x', 'commit'],
    ['git mv a b && git commit -m x', 'commit'],
    ['git merge --continue', 'commit'],
    ['GIT_EDITOR=true git rebase --continue', 'commit'],
    ['git -c core.editor=true cherry-pick --continue', 'commit'],
    ['git revert --continue', 'commit'],
    ['git merge --abort', 'commit'],
    ['git rebase main', 'other'],
    ['git add -A; git commit -m x', 'commit'],
    ['git add -A\ngit commit -m x\ngit status', 'commit'],
    ['{ git add -A && git commit -m x; } || true', 'commit'],
    ['if npm test; then git commit -am x; fi', 'test'],
    ['for f in a b; do git add "$f"; done && git commit -m x', 'commit'],
    ['git diff --name-only | xargs git add && git commit -m x', 'commit'],
    ['git stash push -m "unfinished"', 'commit'],
    ['git stash drop', 'other'],
    ['git config user.email a@b && git config user.name "A" && git commit -m x', 'commit'],
    ['git reset HEAD x && git commit -m y', 'commit'],
    ['git restore --staged x', 'commit'],
    ['git restore --staged --worktree x', 'other'],
    ['git switch main', 'other'],
    ['git commit -m "at $(date +%H:%M) by $(git rev-parse HEAD)"', 'commit'],
    ['bash -c "git add -A && git commit -m x"', 'commit'],
    ["bash <<'EOF'\ngit add -A\ngit commit -m x\nEOF", 'commit'],
    ["bash <<'EOF'\nnpm run build\nEOF", 'other'],
    // tests as agents write them
    ['./test.sh', 'test'],
    ['bash scripts/run-tests.sh 2>&1 | tail -20', 'test'],
    ['sh test.sh', 'test'],
    ['make test', 'test'],
    ['make -C app -j4 test', 'test'],
    ['make all test', 'other'],
    ['pytest -x tests/ | head -50', 'test'],
    ['go test ./...', 'test'],
    ['cd x && CI=1 NODE_ENV=test npm test -- --run 2>&1 | tee test-output.txt | tail -5', 'test'],
    ['npm test > out.txt 2>&1; tail out.txt', 'test'],
    ['npm --prefix app test', 'test'],
    ['npm run -s test:unit', 'test'],
    ['yarn workspace web test', 'test'],
    ['pnpm --filter web test', 'test'],
    ['env FOO=1 timeout -k 5 60 npm test', 'test'],
    ['timeout 60 bash -c "cd x && npm test"', 'test'],
    ['npx --yes vitest run', 'test'],
    ['./gradlew :app:test', 'test'],
    ['python3 -m unittest discover', 'test'],
    ['python run_tests.py', 'test'],
    ['./scripts/test', 'test'],
    ['pdm run pytest', 'test'],
    ['coverage run -m pytest', 'test'],
    ['rm -f .git/index.lock && git commit -m x', 'commit'],
    ['node --test tests/', 'test'],
    ['php artisan test', 'test'],
    ['bundle exec rspec', 'test'],
    ['source .venv/bin/activate && pytest -q', 'test'],
    ['set -o pipefail; npm test 2>&1 | tail -n 40; echo "exit ${PIPESTATUS[0]}"', 'test'],
    ['npm test; echo "exit $?"', 'test'],
    ['npm run lint:fix', 'other'],
    ['npx eslint --fix .', 'other'],
    ['npx vitest --watch', 'other'],
    ['python edit_tests_generator.py', 'other'],
    ['npm test && npm run build', 'other'],
    ['npm test | tee out.txt && echo x | tee src/a.ts', 'other'],
    ['npm test; echo x > src/a.ts', 'other'],
    // reads
    ['grep -rin foo src', 'read'],
    ['find . -name "*.ts" -o -name "*.js" | xargs grep -l foo', 'read'],
    ['find . -name x -exec rm {} \\;', 'other'],
    ['sed "s/a/b/" f | head', 'read'],
    ['sed -Ei s/a/b/ f', 'other'],
    ["awk '{print $1}' f", 'read'],
    ['awk \'{print > "x"}\' f', 'other'],
    ['cat <<EOF > src/a.ts\nx\nEOF', 'other'],
    ['echo x | tee -a src/a.ts', 'other'],
    ['date', 'read'],
    ['node --version', 'read'],
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
  it('refuses a tool that may take more time than is left', () => {
    expect(decide(bash('make all', 1_200_000), 300)).toEqual({
      type: 'refuse',
      reason:
        'This may take 20m, but only 5m of the time budget is left. Use a shorter timeout, or commit what you have.',
    });
    expect(decide(bash('make all', 240_000), 300)).toEqual({ type: 'pass' });
    expect(decide({ tool: 'Edit', input: {} }, 300)).toEqual({ type: 'pass' });
  });

  it('does not take the timeout of a commit for its duration, but a sleep', () => {
    expect(decide(bash('git add -A && git commit -m x', 120_000), 60)).toEqual({ type: 'pass' });
    expect(decide(bash('git status', 600_000), 200)).toEqual({ type: 'pass' });
    expect(decide(bash('sleep 90 && git commit -am x', 120_000), 60)).toMatchObject({ type: 'refuse' });
    expect(decide(bash('npm test', 120_000), 60)).toMatchObject({ type: 'refuse' });
  });

  it('never refuses the tool that gives the report', () => {
    for (const left of [60, -10, -45]) {
      expect(decide({ tool: 'StructuredOutput', input: {} }, left)).toEqual({ type: 'pass' });
    }
  });

  it('lets commits, tests and reads through the last stretch, and nothing else', () => {
    for (const call of [bash('git commit -am x'), bash('npm test'), { tool: 'Read', input: {} }]) {
      expect(decide(call, 60)).toEqual({ type: 'pass' });
    }
    for (const call of [bash('npm install'), { tool: 'Edit', input: {} }, { tool: 'Agent', input: {} }]) {
      expect(decide(call, 60)).toMatchObject({ type: 'refuse', reason: expect.stringContaining('Only 1m') });
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
