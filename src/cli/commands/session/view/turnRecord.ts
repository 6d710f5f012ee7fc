import type { QueryEvent } from '../../../../query/events.ts';
import { INTERRUPTED, INTERRUPTED_FOR_TOOLS } from '../../../../query/terminal.ts';
import type { Paint } from '../../../output/colors.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { blockOf } from './blocks.ts';
import { hookBlock } from './hookBlock.ts';

/** Events kept for ctrl+o, and characters of each: a flood must not fill the memory. */
const KEPT_EVENTS = 400;

/** What a turn printed, and all of it for a closer look. */
export class TurnRecord {
  readonly #paint: Paint;
  #headings = new Map<string, string>();
  #hookLabels = new Map<string, string>();
  #events: QueryEvent[] = [];

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** A new turn: what was before it belongs to the terminal. */
  begin(): void {
    this.#headings = new Map();
    this.#hookLabels = new Map();
    this.#events = [];
  }

  /** The lines to print for an event. */
  see(event: QueryEvent): readonly string[] {
    const { type } = event;
    if (type === 'tool_start') {
      this.#headings.set(event.toolUseId, `${this.#paint('bold', event.name)} ${oneLine(event.summary, 200)}`);
    }
    if (type === 'hook_progress') this.#nameHook(event.data);
    if (type === 'assistant') {
      for (const block of event.message.content) {
        if (block.type === 'tool_use' && !this.#headings.has(block.id)) this.#headings.set(block.id, block.name);
      }
    }
    if (type !== 'stream_event' && type !== 'progress') {
      this.#events.push(event);
      if (this.#events.length > 2 * KEPT_EVENTS) this.#events = this.#events.slice(-KEPT_EVENTS);
    }
    return isShownOtherwise(event) ? [] : blockOf(event, { paint: this.#paint, isWhole: false }, this.#headings);
  }

  #nameHook({ command, statusMessage }: Readonly<Record<string, unknown>>): void {
    if (typeof command === 'string' && typeof statusMessage === 'string') this.#hookLabels.set(command, statusMessage);
  }

  whole(): readonly string[] {
    const style = { paint: this.#paint, isWhole: true };
    return this.#events
      .slice(-KEPT_EVENTS)
      .flatMap((event) => hookBlock(event, this.#paint, this.#hookLabels) ?? blockOf(event, style, this.#headings));
  }
}

/** The end of a turn says that it was interrupted, and a notice of the hook engine repeats a hook's message with its event. */
function isShownOtherwise(event: QueryEvent): boolean {
  if (event.type === 'attachment') return event.attachment.type === 'hook_system_message';
  if (event.type !== 'user' || typeof event.message.content === 'string') return false;
  const [first] = event.message.content;
  return first?.type === 'text' && (first.text === INTERRUPTED || first.text === INTERRUPTED_FOR_TOOLS);
}
