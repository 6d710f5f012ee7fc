import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as api from '../../src/index.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';

const exampleOf = (name: string) => path.join(import.meta.dirname, '../../examples', name);
const EXAMPLE = exampleOf('library.ts');

it('the library example of the README runs against the built package', async () => {
  await using folder = await tempFolder();
  const script = path.join(folder.path, 'script.json');
  const replies = [{ tools: [{ name: 'Glob', input: { pattern: '*.json' } }] }, { text: 'One file: script.json.' }];
  writeFileSync(script, JSON.stringify({ replies }));
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE], {
    cwd: folder.path,
    env: { ...process.env, STOPGATE_MODEL: `scripted:${script}` },
  });
  expect(stdout).toContain('Glob *.json');
  expect(stdout).toContain('One file: script.json.');
  expect(stdout).toContain('ended: completed');
});

it('the worker example takes its tasks and settles them', async () => {
  await using folder = await tempFolder();
  const { stdout } = await promisify(execFile)(process.execPath, [exampleOf('worker.ts')], { cwd: folder.path });
  expect(stdout).toBe('fix the flaky test: accepted\nwrite the release notes: accepted\n');
});

it('the hook runner example reports what a Stop hook answers', async () => {
  await using folder = await tempFolder();
  const run = async (command: string) => {
    const file = path.join(folder.path, 'settings.json');
    writeFileSync(file, JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }));
    const options = { cwd: folder.path };
    return (await promisify(execFile)(process.execPath, [exampleOf('hook-runner.ts'), file], options)).stdout;
  };
  expect(await run('true')).toBe('may stop\n');
  expect(await run('echo not tested >&2; exit 2')).toContain('not tested');
});

it('the public names are these and no others', () => {
  expect(Object.keys(api).sort()).toMatchInlineSnapshot(`
    [
      "AgentHookSchema",
      "BashCommandHookSchema",
      "DEFAULT_LIMITS",
      "HOOK_EVENTS",
      "HookEntrySchema",
      "HookMatcherSchema",
      "HooksSchema",
      "HttpHookSchema",
      "McpToolHookSchema",
      "PromptHookSchema",
      "SpendLedger",
      "aiSdkModel",
      "allTools",
      "askWorkerStop",
      "backgroundHooks",
      "budgetMessage",
      "checkTokenBudget",
      "configureHooks",
      "countdownOutput",
      "createBaseHookInput",
      "createBudgetTracker",
      "createHookRunner",
      "createStopWork",
      "decidePermission",
      "decideSwitches",
      "decideWorkerStop",
      "defineTool",
      "executeHooks",
      "executePermissionRequestHooks",
      "executePostToolHooks",
      "executePreToolHooks",
      "executeSessionEndHooks",
      "executeSessionStartHooks",
      "executeStopFailureHooks",
      "executeStopHooks",
      "executeTaskCompletedHooks",
      "executeTaskCreatedHooks",
      "executeTeammateIdleHooks",
      "executeUserPromptSubmitHooks",
      "fireHooks",
      "getBudgetContinuationMessage",
      "handleStopHooks",
      "hookKinds",
      "mainContext",
      "makeMessages",
      "noHooks",
      "onHookEvent",
      "openStore",
      "parseDuration",
      "query",
      "resolveModel",
      "spawnProcesses",
      "spillToFolder",
      "submitPrompt",
      "systemClock",
      "systemIds",
      "textOf",
      "turnCleanups",
      "z",
    ]
  `);
});
