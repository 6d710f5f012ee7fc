import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { ConversationMessage, ModelRequest } from '../types.ts';
import { resultImages } from './convertMessages.ts';

/** A prompt for one call, valid until `giveBack`. */
export interface LentPrompt {
  readonly prompt: LanguageModelV4Prompt;
  giveBack(): void;
}

/** A marked place, and its message without and with the mark. */
interface Marked {
  readonly place: number;
  readonly plain: LanguageModelV4Message;
  readonly withMark: LanguageModelV4Message;
}

interface Grown {
  readonly system: readonly string[];
  readonly prompt: LanguageModelV4Prompt;
  /** How many messages of the conversation it contains. */
  seen: number;
  /** The marked places of this call, or of the last one: the next one marks most of them again. */
  marked: readonly Marked[];
  lent: boolean;
  /** Images of an incomplete round of results: a provider wants all results directly after the calls. */
  images: LanguageModelV4Message[];
}

type Convert = (message: ConversationMessage) => readonly LanguageModelV4Message[] | undefined;

/**
 * Prompts that grow with their conversation: converting or copying the whole history per request would be quadratic in
 * a long turn. The array is lent, because the provider reads it for a while; a concurrent request of the same
 * conversation gets its own.
 */
export function growingPrompts(convert: Convert, caching: boolean): (request: ModelRequest) => LentPrompt {
  const known = new WeakMap<object, Grown>();
  const mark = (grown: Grown) => {
    if (caching) grown.marked = markForCaching(grown.prompt, grown.marked);
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
  if (resultImages.has(message)) {
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
  grown.lent = false;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, index) => text === b[index]));
}

const EPHEMERAL = { cacheControl: { type: 'ephemeral' } };

/**
 * Marks where Anthropic's prompt cache may end and returns the marks, so that they can move later: the
 * end of the system prompt (which covers the tools), of this request, and of the previous one. The last matters after
 * many parallel tool results: Anthropic looks for a mark only twenty blocks back. Up to four marks are allowed.
 */
function markForCaching(prompt: LanguageModelV4Prompt, before: readonly Marked[]): Marked[] {
  const all: Marked[] = [];
  for (const place of placesToMark(prompt)) {
    const plain = prompt[place];
    if (!plain) continue;
    const mark = before.find((one) => one.place === place && one.plain === plain) ?? {
      place,
      plain,
      withMark: marked(plain),
    };
    all.push(mark);
    prompt[place] = mark.withMark;
  }
  return all;
}

function placesToMark(prompt: LanguageModelV4Prompt): number[] {
  let systemEnd = 0;
  while (prompt[systemEnd]?.role === 'system') systemEnd++;
  const places = systemEnd > 0 ? [systemEnd - 1] : [];
  const last = prompt.length - 1;
  if (last < systemEnd) return places;
  let place = last;
  while (place >= systemEnd && prompt[place]?.role !== 'assistant') place--;
  while (place >= systemEnd && prompt[place]?.role === 'assistant') place--;
  if (place >= systemEnd && place !== last) places.push(place);
  places.push(last);
  return places;
}

function marked(message: LanguageModelV4Message): LanguageModelV4Message {
  return {
    ...message,
    providerOptions: {
      ...message.providerOptions,
      anthropic: { ...message.providerOptions?.anthropic, ...EPHEMERAL },
    },
  };
}
