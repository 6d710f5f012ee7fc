import type { ToolUseBlock } from '../../../../models/types.ts';
import type { QueryEvent } from '../../../../query/events.ts';
import { INTERRUPTED, INTERRUPTED_FOR_TOOLS } from '../../../../query/terminal.ts';
import { isObject } from '../../../../schemas/jsonValue.ts';
import { formatDuration } from '../../../../system/formatDuration.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import { ownEscape } from '../../../../system/terminalText.ts';
import type { Paint } from '../../../output/colors.ts';
import { type Outcome, paintedOutcome } from '../../../output/outcomes.ts';
import { oneLine } from '../../../output/visibleText.ts';
import { blockOf } from './blocks.ts';

/** Events kept for ctrl+o, the calls whose headings are kept, and lines shown: a flood must not fill the memory. */
const KEPT_EVENTS = 400;
const KEPT_HEADINGS = 1_000;
const WHOLE_LINES = 20_000;
/** Of one line of a result; ctrl+o shows all of it. */
const SHOWN_CHARACTERS = 1_000;
const LONGEST_ESCAPE = 40;

/** What a turn printed, and all of it for a closer look. */
export class TurnRecord {
  readonly #paint: Paint;
  #headings = new Map<string, string>();
  #hookLabels = new Map<string, string>();
  #events: QueryEvent[] = [];
  #isCut = false;

  constructor(paint: Paint) {
    this.#paint = paint;
  }

  /** A new turn: what was before it belongs to the terminal. */
  begin(): void {
    this.#headings = new Map();
    this.#hookLabels = new Map();
    this.#events = [];
    this.#isCut = false;
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
        if (block.type === 'tool_use' && !this.#headings.has(block.id))
          this.#headings.set(block.id, headingOf(block, this.#paint));
      }
    }
    if (type !== 'stream_event' && type !== 'progress') {
      this.#events.push(event);
      if (this.#events.length > 2 * KEPT_EVENTS) {
        this.#events = this.#events.slice(-KEPT_EVENTS);
        this.#isCut = true;
      }
    }
    for (const id of this.#headings.keys()) {
      if (this.#headings.size <= KEPT_HEADINGS) break;
      this.#headings.delete(id);
    }
    if (isShownOtherwise(event)) return [];
    const lines = blockOf(event, { paint: this.#paint, isWhole: false }, this.#headings);
    return event.type === 'user' ? lines.map(shortened) : lines;
  }

  #nameHook({ command, statusMessage }: Readonly<Record<string, unknown>>): void {
    if (typeof command === 'string' && typeof statusMessage === 'string') this.#hookLabels.set(command, statusMessage);
  }

  whole(): readonly string[] {
    const style = { paint: this.#paint, isWhole: true };
    const blocks: (readonly string[])[] = [];
    let count = 0;
    for (const event of this.#events.slice(-KEPT_EVENTS).reverse()) {
      const block = hookBlock(event, this.#paint, this.#hookLabels) ?? blockOf(event, style, this.#headings);
      blocks.push(block);
      count += block.length;
      if (count > WHOLE_LINES) break;
    }
    const isAll = blocks.length === this.#events.length && !this.#isCut;
    const note = isAll ? [] : [this.#paint('dim', '… what the turn did before is in the transcript')];
    return [...note, ...blocks.reverse().flat()];
  }
}

/** The end of a turn says that it was interrupted, and a notice of the hook engine repeats a hook's message with its event. */
function isShownOtherwise(event: QueryEvent): boolean {
  if (event.type === 'attachment') return event.attachment.type === 'hook_system_message';
  if (event.type !== 'user' || typeof event.message.content === 'string') return false;
  const [first] = event.message.content;
  return first?.type === 'text' && (first.text === INTERRUPTED || first.text === INTERRUPTED_FOR_TOOLS);
}

/** One line of a command's output may be as long as all of it. */
function shortened(line: string): string {
  if (line.length <= SHOWN_CHARACTERS) return line;
  const cut = line.slice(0, SHOWN_CHARACTERS);
  // neither a part of an escape nor an open color
  const escapeAt = cut.lastIndexOf('\u001b');
  const start = escapeAt > SHOWN_CHARACTERS - LONGEST_ESCAPE ? cut.slice(0, escapeAt) : cut;
  return `${start}${escapeAt >= 0 ? ownEscape('0', 'm') : ''} … ${line.length - start.length} more characters`;
}

/** Of a call that never started: its name, and its first words. */
function headingOf({ name, input }: ToolUseBlock, paint: Paint): string {
  const first = isObject(input) ? Object.values(input).find((value) => typeof value === 'string') : undefined;
  return `${paint('bold', name)} ${oneLine(String(first ?? ''), 200)}`;
}

/** What the attachment of a hook that ended says of it. */
const OUTCOME_OF: Readonly<Record<string, Outcome>> = {
  hook_success: 'passed',
  hook_blocking_error: 'blocked',
  hook_non_blocking_error: 'no verdict',
  hook_error_during_execution: 'no verdict',
  hook_cancelled: 'skipped',
};

/**
 * A hook in the closer look at a turn: how it ended, how long it took, its command and what it printed. Null for other events.
 * `labels` has the status messages of hooks, by their commands.
 */
function hookBlock(event: QueryEvent, paint: Paint, labels: ReadonlyMap<string, string>): string[] | null {
  if (event.type !== 'attachment') return null;
  const { type, command, hookEvent, stdout, stderr, durationMs } = event.attachment;
  const outcome = ownValue(OUTCOME_OF, type);
  if (outcome === undefined) return null;
  const name = String(command ?? 'a hook');
  const label = labels.get(name);
  const time = typeof durationMs === 'number' ? ` · ${formatDuration(durationMs)}` : '';
  const printed = [stdout, stderr].flatMap((text) => (typeof text === 'string' ? text.trimEnd().split('\n') : []));
  const below = [...(label === undefined ? [] : [name]), ...printed].filter((line) => line !== '');
  const heading = `${hookEvent} hook · ${oneLine(label ?? name)} · ${outcome}${time}`;
  return [`  ${paintedOutcome(outcome, paint, heading)}`, ...below.map((line) => paint('dim', `      ${line}`))];
}
