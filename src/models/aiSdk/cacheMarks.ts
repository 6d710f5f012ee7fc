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

/** Without repeats, in rising order. */
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
