import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/**
 * What a new member of each table costs: the files that are added and the files that change. Each adds a dummy to a copy of the
 * source; that the copy compiles shows that nothing else has to know the member.
 */
const ROOT = path.join(import.meta.dirname, '../..');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

interface Member {
  readonly added: Readonly<Record<string, string>>;
  /** File, text in it, and what takes its place. */
  readonly changed: readonly (readonly [file: string, text: string, instead: string])[];
}

const MEMBERS: Readonly<Record<string, Member>> = {
  host: {
    added: {
      'hosts/dummy/host.ts': `import type { Host } from '../host.ts';
import { HOOKS_ONLY, hasFields } from '../hooksOnly.ts';
export const dummy: Host = { ...HOOKS_ONLY, name: 'dummy', title: 'Dummy', recognizes: (payload) => hasFields(payload, 'dummy_version') };\n`,
    },
    changed: [
      [
        'hosts/all.ts',
        "import { cursor } from './cursor/host.ts';",
        "import { cursor } from './cursor/host.ts';\nimport { dummy } from './dummy/host.ts';",
      ],
      ['hosts/all.ts', '  cursor,', '  dummy,\n  cursor,'],
    ],
  },
  gate: {
    added: {
      'stop/dummy/gate.ts': `import { PASS } from '../answer.ts';
import type { Gate } from '../gate.ts';
export const dummyGate: Gate = { isSet: () => false, ask: async () => PASS, begin: async () => [] };\n`,
    },
    changed: [
      [
        'stop/ask.ts',
        "import { workerGate } from './worker/gate.ts';",
        "import { dummyGate } from './dummy/gate.ts';\nimport { workerGate } from './worker/gate.ts';",
      ],
      ['stop/ask.ts', '[checksGate, workerGate]', '[checksGate, dummyGate, workerGate]'],
    ],
  },
  tool: {
    added: {
      'tools/dummy.ts': `import * as z from 'zod';
import { defineTool } from './tool.ts';
export const dummyTool = defineTool({
  name: 'Dummy',
  description: 'Does nothing.',
  inputSchema: z.object({}),
  isReadOnly: () => true,
  permission: () => ({ type: 'free' }),
  summary: () => '',
  // biome-ignore lint/correctness/useYield: nothing to report
  async *call() {
    return { type: 'done', output: {}, content: '' };
  },
});\n`,
    },
    changed: [
      [
        'tools/allTools.ts',
        "import { editTool } from './files/edit.ts';",
        "import { dummyTool } from './dummy.ts';\nimport { editTool } from './files/edit.ts';",
      ],
      ['tools/allTools.ts', '  agentTool,\n', '  agentTool,\n  dummyTool,\n'],
    ],
  },
  event: {
    added: {},
    changed: [
      ['schemas/hookEventNames.ts', "  'Setup',", "  'Setup',\n  'Dummy',"],
      [
        'schemas/hookInputs.ts',
        'export const HOOK_INPUT_SCHEMAS = {',
        'export const HOOK_INPUT_SCHEMAS = {\n  Dummy: z.looseObject({}),',
      ],
      [
        'hooks/events/systemEvents.ts',
        'export const systemEvents: readonly EventRow[] = [',
        "export const systemEvents: readonly EventRow[] = [\n  eventRow('Dummy', {}),",
      ],
      [
        'cli/commands/hooks/eventTexts.ts',
        'export const EVENT_WORDS: { readonly [Name in HookEventName]: EventWords } = {',
        "export const EVENT_WORDS: { readonly [Name in HookEventName]: EventWords } = {\n  Dummy: { free: 'nothing follows' },",
      ],
      ['cli/commands/hooks/eventTexts.ts', '    PreToolUse: call,', '    Dummy: {},\n    PreToolUse: call,'],
    ],
  },
  'hook kind': {
    added: {
      'hooks/kinds/dummy.ts': `import * as z from 'zod';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import { failed } from '../outcome.ts';
const DummySchema = z.object({ type: z.literal('dummy') });
export const dummyFacts: KindFacts<z.infer<typeof DummySchema>> = {
  type: 'dummy',
  schema: DummySchema,
  fields: ['type'],
  label: () => 'dummy',
};
export const dummyHook = (): HookKind =>
  defineKind({ ...dummyFacts, run: async () => failed('answer', 'a dummy', { stdout: '', stderr: '', durationMs: 0 }) });\n`,
    },
    changed: [
      [
        'hooks/kinds/hookKinds.ts',
        "import { functionHook } from './function.ts';",
        "import { dummyFacts, dummyHook } from './dummy.ts';\nimport { functionHook } from './function.ts';",
      ],
      [
        'hooks/kinds/hookKinds.ts',
        '  defineFacts(httpFacts),',
        '  defineFacts(dummyFacts),\n  defineFacts(httpFacts),',
      ],
      ['hooks/kinds/hookKinds.ts', '    functionHook(),', '    functionHook(),\n    dummyHook(),'],
      // the events that take it
      ['hooks/events/eventRow.ts', "| 'prompt' | 'agent';", "| 'prompt' | 'agent' | 'dummy';"],
      ['hooks/events/eventRow.ts', "'prompt', 'agent'];", "'prompt', 'agent', 'dummy'];"],
    ],
  },
};

const FILES: Readonly<Record<string, number>> = { host: 2, gate: 2, tool: 2, event: 4, 'hook kind': 3 };

it.each(Object.entries(MEMBERS))('a new %s takes few changes', (name, { added, changed }) => {
  expect(new Set([...Object.keys(added), ...changed.map(([file]) => file)]).size).toBe(FILES[name]);
});

/** One copy with all of them, because the compiler takes longer than everything else; its message names the member's file. */
it('a new member of each table compiles with these changes', () => {
  mkdirSync(path.join(ROOT, '.vitest'), { recursive: true });
  const folder = mkdtempSync(path.join(ROOT, '.vitest/members-'));
  try {
    cpSync(path.join(ROOT, 'src'), path.join(folder, 'src'), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.ts'),
    });
    for (const member of Object.values(MEMBERS)) addMember(path.join(folder, 'src'), member);
    writeFileSync(path.join(folder, 'tsconfig.json'), '{ "extends": "../../tsconfig.json", "include": ["src"] }');
    // several checkers each learn the types that they share
    const { stdout } = spawnSync(process.execPath, [TSC, '--noEmit', '--checkers', '1', '-p', folder], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 120_000);

function addMember(src: string, { added, changed }: Member): void {
  for (const [file, text] of Object.entries(added)) {
    mkdirSync(path.dirname(path.join(src, file)), { recursive: true });
    writeFileSync(path.join(src, file), text);
  }
  for (const [file, text, instead] of changed) {
    const at = path.join(src, file);
    const before = readFileSync(at, 'utf8');
    expect(before, `${file} must contain ${text}`).toContain(text);
    const after = before.replace(text, () => instead);
    writeFileSync(at, after);
  }
}
