import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Ids } from '../system/ids.ts';
import type { HookOutcome, HookReply } from './outcome.ts';

/** Saves a text that is too long for a conversation and returns where. */
export type Spill = (text: string) => string;

/** The longest text that one hook may put into a conversation. */
export const TEXT_CAP = 10_000;
/** Measured: a reason of 15,000 characters is passed whole. This cap protects the context window. */
export const REASON_CAP = 100_000;
const PREVIEW = 2_000;

/** Replaces a text over the cap by the path of its copy and its beginning. */
export function capText(text: string, cap: number, spill: Spill): string {
  if (text.length <= cap) return text;
  const preview = text.slice(0, PREVIEW);
  return `A hook returned ${text.length} characters. ${savedAt(text, spill)} It begins:\n\n${preview}\n…`;
}

function savedAt(text: string, spill: Spill): string {
  try {
    return `All of it is in ${spill(text)}.`;
  } catch (error) {
    return `It could not be saved (${error instanceof Error ? error.message : String(error)}).`;
  }
}

/** Caps every text that would reach a model or a person. */
export function capOutcome(outcome: HookOutcome, spill: Spill): HookOutcome {
  return outcome.type === 'said' ? { ...outcome, reply: capReply(outcome.reply, spill) } : outcome;
}

function capReply(reply: HookReply, spill: Spill): HookReply {
  const cap = (text: string) => capText(text, TEXT_CAP, spill);
  const { block, context, plain, systemMessage, specific } = reply;
  const message = specific.initialUserMessage;
  return {
    ...reply,
    ...(block && { block: { ...block, reason: capText(block.reason, REASON_CAP, spill) } }),
    ...(context !== undefined && { context: cap(context) }),
    ...(plain !== undefined && { plain: cap(plain) }),
    ...(systemMessage !== undefined && { systemMessage: cap(systemMessage) }),
    ...(typeof message === 'string' && { specific: { ...specific, initialUserMessage: cap(message) } }),
  };
}

/** Saves long texts as files in a folder, which is created for the first one. */
export function spillToFolder(folder: string, ids: Ids): Spill {
  return (text) => {
    const file = path.join(folder, `hook-${ids.uuid()}.txt`);
    mkdirSync(folder, { recursive: true });
    // the text may contain a secret
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
    return file;
  };
}
