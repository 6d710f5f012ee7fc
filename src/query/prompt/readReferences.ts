import path from 'node:path';
import type { UserBlock } from '../../models/types.ts';
import { resolveRequest } from '../../permissions/makeRealPath.ts';
import { systemReminder } from '../../session/makeMessages.ts';
import type { UserMessage } from '../../session/messages.ts';
import { type FileReference, findReferences } from '../../session/references/findReferences.ts';
import { returnValueOf } from '../../system/returnValueOf.ts';
import { asSentence } from '../../system/sentence.ts';
import { pathContent } from '../../tools/files/pathContent.ts';
import { absolutePath } from '../../tools/files/paths.ts';
import type { Tool } from '../../tools/tool.ts';
import type { ToolContext } from '../../tools/toolContext.ts';
import type { QueryEvent } from '../events.ts';
import { decideByRules } from '../tools/admitCall.ts';
import { toolContextFor } from '../tools/toolContextFor.ts';
import type { ToolUseContext } from '../toolUseContext.ts';
import type { Turn } from '../turn.ts';
import { loadNestedInstructions } from './nestedInstructions.ts';

/** A text that may name files with `@`. */
export interface ReferringText {
  readonly text: string;
  /** Whose words these are: the person may name any file that no rule denies, a repository only what the rules allow. */
  readonly trusted: boolean;
}

/**
 * The files that a prompt names, for the model to see before it, as if it had read them. Measured: no tool hooks run. A name
 * without a file is not a reference; a file that may not be read gets a warning.
 */
export async function* readReferences(
  turn: Turn,
  toolUseContext: ToolUseContext,
  { text, trusted }: ReferringText,
): AsyncGenerator<QueryEvent, readonly UserMessage[]> {
  const tool = toolUseContext.tools.find(({ name }) => name === 'Read');
  if (!text.includes('@') || tool === undefined) return [];
  const messages: UserMessage[] = [];
  for (const reference of findReferences(text)) {
    const context = toolContextFor(turn, { toolUseContext }, `toolu_${turn.deps.ids.uuid()}`);
    const file = absolutePath(reference.path, context);
    const read = await readReference({ reference, file, tool, context, toolUseContext, trusted });
    if (read.type === 'refused') yield turn.warn(`${reference.written} was not read: ${asSentence(read.reason)}`);
    if (read.type !== 'read') continue;
    const nested = yield* loadNestedInstructions(turn, { toolUseContext }, file);
    const blocks = [...read.blocks, ...nested.map((one) => textBlock(systemReminder(one)))];
    messages.push(turn.make.user(blocks, { isMeta: true }));
  }
  return messages;
}

interface Reading {
  readonly reference: FileReference;
  readonly file: string;
  readonly tool: Tool;
  readonly context: ToolContext;
  readonly toolUseContext: ToolUseContext;
  readonly trusted: boolean;
}

type ReadReference =
  | { readonly type: 'read'; readonly blocks: readonly UserBlock[] }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'missing' };

async function readReference(reading: Reading): Promise<ReadReference> {
  const { file, tool, context, toolUseContext, trusted } = reading;
  const found = await pathContent(file);
  if (found.type === 'missing') return found;
  const request = resolveRequest(tool.permission({ file_path: file }, context));
  const decision = decideByRules({ toolUseContext }, tool, request);
  if (decision.type === 'deny' || (decision.type === 'ask' && !trusted)) {
    return { type: 'refused', reason: decision.reason };
  }
  if (found.type === 'file') return readFile(reading);
  const names = found.names.filter((name) => context.mayShow?.(path.join(file, name)) ?? true);
  const more = found.leftOut === 0 ? [] : [`(${found.leftOut} more)`];
  const call = calledTool('Bash', { command: `ls ${file}`, description: `Lists files in ${file}` });
  return { type: 'read', blocks: [call, textBlock(resultOf('Bash', [...names, ...more].join('\n')))] };
}

async function readFile({ reference, file, tool, context }: Reading): Promise<ReadReference> {
  const { from, to = from } = reference;
  const lines = from === undefined || to === undefined ? {} : { offset: from, limit: Math.max(1, to - from + 1) };
  const outcome = await returnValueOf(tool.call({ file_path: file, ...lines }, context));
  if (outcome.type === 'failed') return { type: 'refused', reason: outcome.message };
  const { content } = outcome;
  const call = calledTool('Read', { file_path: file });
  return {
    type: 'read',
    blocks: typeof content === 'string' ? [call, textBlock(resultOf('Read', content))] : [call, ...content],
  };
}

const textBlock = (text: string) => ({ type: 'text', text }) as const;
const resultOf = (tool: string, content: string) => systemReminder(`Result of calling the ${tool} tool:\n${content}`);
const calledTool = (tool: string, input: object) =>
  textBlock(systemReminder(`Called the ${tool} tool with the following input: ${JSON.stringify(input)}`));
