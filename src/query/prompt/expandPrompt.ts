import type { HookVerdict } from '../../hooks/types.ts';
import { type CommandPart, commandParts, fillArguments } from '../../session/commands/fillArguments.ts';
import type { FoundCommand } from '../../session/commands/findCommand.ts';
import type { UserMessage } from '../../session/messages.ts';
import { returnValueOf } from '../../system/returnValueOf.ts';
import type { QueryEvent } from '../events.ts';
import { runHooks } from '../runHooks.ts';
import { decideByRules } from '../tools/admitCall.ts';
import { toolContextFor } from '../tools/toolContextFor.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import type { ReferringText } from './readReferences.ts';

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
  /** One of its commands may not run, or its model is unknown: the prompt is dropped. */
  | { readonly type: 'failed'; readonly message: string };

/** A slash command's text in place of the prompt, after UserPromptExpansion hooks; what it grants holds for its turn. */
export async function* expandPrompt(
  turn: Turn,
  context: ToolUseContext,
  command: FoundCommand,
  { prompt, ownWords }: { readonly prompt: string; readonly ownWords: string },
): AsyncGenerator<QueryEvent, Expansion> {
  const { name, args, source, problem } = command;
  if (problem !== undefined) yield turn.warn(problem);
  const verdict = yield* runHooks(turn, {
    event: 'UserPromptExpansion',
    context,
    input: () => ({
      expansion_type: 'slash_command' as const,
      command_name: name,
      command_args: args,
      command_source: source,
      prompt,
    }),
  });
  if (verdict.prevented !== null || verdict.blocks.length > 0) return { type: 'refused', verdict };
  const granted = grant(turn, context, command);
  if (granted.type === 'failed') return granted;
  const { text: template, argumentNames, trusted } = command;
  const text = trusted
    ? await runParts(turn, granted.context, commandParts(template, args, argumentNames))
    : { type: 'text' as const, text: fillArguments(template, args, argumentNames) };
  if (text.type === 'failed') return text;
  const base = command.baseDir === undefined ? '' : `Base directory for this skill: ${command.baseDir}\n\n`;
  const heading = `<command-message>${name}</command-message>\n<command-name>/${name}</command-name>\n<command-args>${args}</command-args>`;
  return {
    type: 'expanded',
    messages: [turn.make.user(heading), turn.make.hidden(base + text.text)],
    context: granted.context,
    verdict,
    referring: { text: fillArguments(template, argumentsIn(ownWords), argumentNames), trusted },
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

/** What follows the command's name in the person's own words: piped data after it names no files. */
const argumentsIn = (ownWords: string): string => ownWords.trim().replace(/^\/\S*\s*/, '');

/** `` !`command` `` becomes what the command prints. Rules alone decide whether it may run. */
async function runParts(
  turn: Turn,
  toolUseContext: ToolUseContext,
  parts: readonly CommandPart[],
): Promise<{ readonly type: 'text'; readonly text: string } | Extract<Expansion, { type: 'failed' }>> {
  let shown = '';
  for (const part of parts) {
    const ran = part.type === 'text' ? part : await runBlock(turn, toolUseContext, part);
    if (ran.type === 'failed') return ran;
    shown += ran.text;
  }
  return { type: 'text', text: shown };
}

async function runBlock(
  turn: Turn,
  toolUseContext: ToolUseContext,
  { command, written }: Extract<CommandPart, { type: 'shell' }>,
) {
  const fail = (reason: string) => {
    const message = `Shell command permission check failed for pattern "${written}": ${reason}`;
    return { type: 'failed', message } as const;
  };
  const tool = toolUseContext.tools.find(({ name }) => name === 'Bash');
  if (!tool) return fail('there is no Bash tool.');
  const context = toolContextFor(turn, { toolUseContext }, `toolu_${turn.deps.ids.uuid()}`);
  const decision = decideByRules({ toolUseContext }, tool, tool.permission({ command }, context));
  if (decision.type !== 'allow') return fail(decision.reason);
  const outcome = await returnValueOf(tool.call({ command }, context));
  if (outcome.type === 'failed') return { type: 'text', text: outcome.message } as const;
  return { type: 'text', text: typeof outcome.content === 'string' ? outcome.content : '' } as const;
}
