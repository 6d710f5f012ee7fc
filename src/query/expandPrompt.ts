import type { HookVerdict } from '../hooks/types.ts';
import { fillArguments } from '../session/commands/fillArguments.ts';
import type { FoundCommand } from '../session/commands/findCommand.ts';
import type { UserMessage } from '../session/messages.ts';
import { decideByRules } from './admitCall.ts';
import type { QueryEvent } from './events.ts';
import type { ReferringText } from './readReferences.ts';
import { runHooks } from './runHooks.ts';
import { toolContextFor } from './toolContextFor.ts';
import type { ToolUseContext } from './toolUseContext.ts';
import type { Turn } from './turn.ts';

export type Expansion =
  | {
      readonly type: 'expanded';
      readonly messages: readonly UserMessage[];
      readonly context: ToolUseContext;
      readonly verdict: HookVerdict;
      /** What may name files: its own words, and not what its commands print. */
      readonly referring: ReferringText;
    }
  | { readonly type: 'refused'; readonly verdict: HookVerdict }
  /** One of its commands may not run, or its model is unknown: the prompt goes nowhere. */
  | { readonly type: 'failed'; readonly message: string };

/** A slash command's text in place of the prompt, after UserPromptExpansion hooks; what it grants holds for its turn. */
export async function* expandPrompt(
  turn: Turn,
  context: ToolUseContext,
  command: FoundCommand,
  prompt: string,
): AsyncGenerator<QueryEvent, Expansion> {
  const { name, args, source, problem } = command;
  if (problem !== undefined) yield turn.record(turn.make.system('informational', problem, { level: 'warning' }));
  const verdict = yield* runHooks(turn, {
    event: 'UserPromptExpansion',
    context,
    input: () => ({
      expansion_type: 'slash_command',
      command_name: name,
      command_args: args,
      command_source: source,
      prompt,
    }),
  });
  if (verdict.prevented !== null || verdict.blocks.length > 0) return { type: 'refused', verdict };
  const granted = grant(turn, context, command);
  if (granted.type === 'failed') return granted;
  const filled = fillArguments(command.text, args, command.argumentNames);
  const text = command.trusted
    ? await runBlocks(turn, granted.context, filled)
    : { type: 'text' as const, text: filled };
  if (text.type === 'failed') return text;
  const base = command.baseDir === undefined ? '' : `Base directory for this skill: ${command.baseDir}\n\n`;
  const heading = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
  return {
    type: 'expanded',
    messages: [turn.make.user(heading), turn.make.user([{ type: 'text', text: base + text.text }], { isMeta: true })],
    context: granted.context,
    verdict,
    referring: { text: filled, trusted: command.trusted },
  };
}

type Granted = { readonly type: 'granted'; readonly context: ToolUseContext } | Extract<Expansion, { type: 'failed' }>;

function grant(turn: Turn, context: ToolUseContext, { allowedTools, model, name }: FoundCommand): Granted {
  const { permissions } = context;
  const allow = [...permissions.rules.allow, ...allowedTools];
  const granted = { ...context, permissions: { ...permissions, rules: { ...permissions.rules, allow } } };
  if (model === undefined) return { type: 'granted', context: granted };
  const chosen = turn.deps.resolveModel(model);
  if (chosen.type === 'unknown') return { type: 'failed', message: `/${name} wants another model: ${chosen.message}` };
  return { type: 'granted', context: { ...granted, model: chosen.model } };
}

const BLOCK = /(?<![\w`])!`([^`\n]+)`/g;

/** `` !`command` `` becomes what the command prints. Rules decide; nobody is asked. */
async function runBlocks(
  turn: Turn,
  toolUseContext: ToolUseContext,
  text: string,
): Promise<{ readonly type: 'text'; readonly text: string } | Extract<Expansion, { type: 'failed' }>> {
  let shown = '';
  let from = 0;
  for (const match of text.matchAll(BLOCK)) {
    const ran = await runBlock(turn, toolUseContext, match[1] ?? '');
    if (ran.type === 'failed')
      return {
        type: 'failed',
        message: `Shell command permission check failed for pattern "${match[0]}": ${ran.message}`,
      };
    shown += text.slice(from, match.index) + ran.text;
    from = match.index + match[0].length;
  }
  return { type: 'text', text: shown + text.slice(from) };
}

async function runBlock(turn: Turn, toolUseContext: ToolUseContext, command: string) {
  const tool = toolUseContext.tools.find(({ name }) => name === 'Bash');
  if (!tool) return { type: 'failed', message: 'there is no Bash tool.' } as const;
  const context = toolContextFor(turn, { toolUseContext }, `toolu_${turn.deps.ids.uuid()}`);
  const decision = decideByRules({ toolUseContext }, tool, tool.permission({ command }, context));
  if (decision.type !== 'allow') return { type: 'failed', message: decision.reason } as const;
  const running = tool.call({ command }, context);
  let step = await running.next();
  while (!step.done) step = await running.next();
  const { value } = step;
  if (value.type === 'failed') return { type: 'text', text: value.message } as const;
  return { type: 'text', text: typeof value.content === 'string' ? value.content : '' } as const;
}
