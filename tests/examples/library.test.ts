import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as api from '../../src/index.ts';
import { tempFolder } from '../../src/testing/tempFolder.ts';

const EXAMPLE = path.join(import.meta.dirname, '../../examples/library.ts');

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
      "openSqliteStore",
      "parseDuration",
      "query",
      "resolveModel",
      "spawnProcesses",
      "spillToFolder",
      "submitPrompt",
      "systemIds",
      "textOf",
      "turnCleanups",
      "z",
    ]
  `);
});
