import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ConversationMessage, ModelRequest } from '../types.ts';
import { type Marked, markForCaching } from './cacheMarks.ts';
import { isResultImages } from './convertMessages.ts';

/** A prompt for one call. It holds until it is given back. */
export interface LentPrompt {
  readonly prompt: LanguageModelV4Prompt;
  giveBack(): void;
}

interface Grown {
  readonly system: readonly string[];
  readonly prompt: LanguageModelV4Prompt;
  /** How many messages of the conversation are in it. */
  seen: number;
  /** What stands unmarked in the places that are marked now. */
  marked: readonly Marked[];
  lent: boolean;
  /** Images of results whose round is not complete: a provider wants all results of an answer right after it. */
  images: LanguageModelV4Message[];
}

type Convert = (message: ConversationMessage) => readonly LanguageModelV4Message[] | undefined;

/**
 * Prompts that grow with their conversation. A request costs what was added since the one before it: converting the
 * history again, or only copying its pointers, is a quadratic sum over a long turn. The array is lent, because the
 * provider reads it for a while; a second request of the same conversation meanwhile gets one of its own.
 */
export function growingPrompts(convert: Convert, caching: boolean): (request: ModelRequest) => LentPrompt {
  const known = new WeakMap<object, Grown>();
  const mark = (grown: Grown) => {
    grown.marked = caching ? markForCaching(grown.prompt) : [];
    grown.lent = true;
    return { prompt: grown.prompt, giveBack: () => giveBack(grown) };
  };
  return ({ system, messages }) => {
    const before = known.get(messages.lineage);
    const fits = before && !before.lent && before.seen <= messages.length && sameTexts(before.system, system);
    const grown = fits ? before : newPrompt(system);
    for (; grown.seen < messages.length; grown.seen++) {
      const converted = convert(messages.at(grown.seen) as ConversationMessage);
      if (converted) for (const message of converted) add(grown, message);
    }
    addImages(grown);
    if (!before?.lent) known.set(messages.lineage, grown);
    return mark(grown);
  };
}

function add(grown: Grown, message: LanguageModelV4Message): void {
  if (isResultImages(message)) {
    grown.images.push(message);
    return;
  }
  if (message.role !== 'tool') addImages(grown);
  grown.prompt.push(message);
}

function addImages(grown: Grown): void {
  if (grown.images.length > 0) grown.prompt.push(...grown.images.splice(0));
}

function newPrompt(system: readonly string[]): Grown {
  const prompt = system.map((content): LanguageModelV4Message => ({ role: 'system', content }));
  return { system, prompt, seen: 0, marked: [], lent: false, images: [] };
}

function giveBack(grown: Grown): void {
  for (const { place, plain } of grown.marked) grown.prompt[place] = plain;
  grown.marked = [];
  grown.lent = false;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}
