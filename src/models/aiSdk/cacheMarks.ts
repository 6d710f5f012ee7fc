import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';

/** A place that was marked, and what stands there unmarked. */
export interface Marked {
  readonly place: number;
  readonly plain: LanguageModelV4Message;
}

const EPHEMERAL = { cacheControl: { type: 'ephemeral' } };

/**
 * Marks where Anthropic's prompt cache may end and returns what stood there, so that the marks can be moved later:
 * the end of the system prompt (which covers the tools too), the end of this request, and where the previous request
 * ended. The last one matters after many parallel tool results: a mark is only looked for twenty blocks back.
 * Three of the four that are allowed.
 */
export function markForCaching(prompt: LanguageModelV4Prompt): Marked[] {
  const before: Marked[] = [];
  for (const place of placesToMark(prompt)) {
    const plain = prompt[place];
    if (!plain) continue;
    before.push({ place, plain });
    prompt[place] = marked(plain);
  }
  return before;
}

function placesToMark(prompt: LanguageModelV4Prompt): ReadonlySet<number> {
  const places = new Set<number>();
  let systemEnd = 0;
  while (prompt[systemEnd]?.role === 'system') systemEnd++;
  if (systemEnd > 0) places.add(systemEnd - 1);
  const last = prompt.length - 1;
  if (last < systemEnd) return places;
  places.add(last);
  let place = last;
  while (place >= systemEnd && prompt[place]?.role !== 'assistant') place--;
  while (place >= systemEnd && prompt[place]?.role === 'assistant') place--;
  if (place >= systemEnd) places.add(place);
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
