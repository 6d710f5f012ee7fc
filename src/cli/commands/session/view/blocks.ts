import type { QueryEvent } from '../../../../query/events.ts';
import { isObject } from '../../../../schemas/jsonValue.ts';
import { textOf } from '../../../../session/conversation.ts';
import type { AssistantMessage, UserMessage } from '../../../../session/messages.ts';
import { ownValue } from '../../../../system/ownValue.ts';
import type { Paint } from '../../../output/colors.ts';
import { paintedOutcome, STOP_OUTCOMES } from '../../../output/outcomes.ts';
import { unifiedDiff } from '../../../output/unifiedDiff.ts';
import { visibleText } from '../../../output/visibleText.ts';

/** How much of a result is shown; ctrl+o shows all of it. */
const FOLDED_LINES = 8;

export interface BlockStyle {
  readonly paint: Paint;
  /** Everything, as ctrl+o shows it. */
  readonly isWhole: boolean;
}

/** What a session prints of an event, as lines; empty for what is shown otherwise or not at all. */
export function blockOf(event: QueryEvent, style: BlockStyle, headings: ReadonlyMap<string, string>): string[] {
  if (event.type === 'user') return userBlock(event, style, headings);
  if (event.type === 'submitted') return event.messages.flatMap((message) => submittedBlock(message, style));
  if (event.type === 'attachment') {
    const { type, content } = event.attachment;
    return type === 'hook_system_message' ? [style.paint('yellow', `! ${String(content)}`)] : [];
  }
  if (event.type === 'assistant') return answerBlock(event, style);
  if (event.type !== 'system') return [];
  const outcome = ownValue(STOP_OUTCOMES, event.subtype);
  if (outcome !== undefined) return [paintedOutcome(outcome, style.paint, event.content)];
  if (event.subtype === 'stop_hook_summary') {
    return [style.paint('dim', `⏹ ${event.content.replace(/\.$/, '')}${style.isWhole ? '' : ' · ctrl+o shows each'}`)];
  }
  if (event.level === 'notice') return [style.paint('magenta', event.content)];
  const isShown = event.subtype !== 'permission_denied' && event.level !== 'info';
  return isShown ? [style.paint('yellow', `! ${event.content}`)] : [];
}

/** The answer was streamed; a closer look has it with its model and time. */
function answerBlock(message: AssistantMessage, { paint, isWhole }: BlockStyle): string[] {
  const text = message.displayText ?? textOf(message);
  if (message.apiError) return [paint('red', text)];
  if (!isWhole || text === '') return [];
  return [paint('dim', `${message.timestamp} · ${message.message.model}`), ...text.split('\n'), ''];
}

function submittedBlock(message: UserMessage, style: BlockStyle): string[] {
  const { content } = message.message;
  const text =
    typeof content === 'string' ? content : content.map((one) => (one.type === 'text' ? one.text : '')).join('\n');
  if (message.isMeta) return style.isWhole ? hiddenBlock(text, style) : [];
  return ['', ...text.split('\n').map((line) => style.paint('bold', `> ${line}`))];
}

/** What the engine told the model: why it goes on. Folded, but for its first lines. */
function hiddenBlock(text: string, style: BlockStyle): string[] {
  const lines = folded(
    text
      .replace(/<\/?system-reminder>\n?/g, '')
      .trim()
      .split('\n'),
    style.isWhole,
  );
  return lines.map((line) => style.paint('magenta', `↩ ${line}`));
}

function userBlock(message: UserMessage, style: BlockStyle, headings: ReadonlyMap<string, string>): string[] {
  const { content } = message.message;
  if (typeof content === 'string') return [];
  const results = content.filter((block) => block.type === 'tool_result');
  if (results.length === 0) {
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
    return message.isMeta ? hiddenBlock(text, style) : [style.paint('yellow', text)];
  }
  return results.flatMap((block) => {
    const text = typeof block.content === 'string' ? block.content : '(content)';
    const color = block.is_error ? 'red' : 'dim';
    const heading = headings.get(block.tool_use_id) ?? block.tool_name;
    const patch = block.is_error ? [] : patchLines(message.toolUseResult, style.paint);
    const lines =
      patch.length > 0
        ? patch
        : text
            .trimEnd()
            .split('\n')
            .map((line) => style.paint(color, line));
    return [
      `${style.paint(block.is_error ? 'red' : 'green', '●')} ${heading}`,
      ...folded(lines, style.isWhole).map((line) => `  ${line}`),
    ];
  });
}

interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

const PATCH_STYLES = { '-': 'red', '+': 'green' } as const;

/** The change of a file, as the tool reports it. */
function patchLines(result: unknown, paint: Paint): readonly string[] {
  const { structuredPatch: hunks } = (isObject(result) ? result : {}) as { readonly structuredPatch?: readonly Hunk[] };
  if (!Array.isArray(hunks)) return [];
  return hunks.flatMap(({ oldStart, newStart, lines }: Hunk) => [
    paint('cyan', `@@ -${oldStart} +${newStart} @@`),
    ...lines.map((line) => {
      const style = PATCH_STYLES[line.charAt(0) as keyof typeof PATCH_STYLES];
      return style ? paint(style, line) : line;
    }),
  ]);
}

function folded(lines: readonly string[], isWhole: boolean): readonly string[] {
  if (isWhole || lines.length <= FOLDED_LINES) return lines;
  return [...lines.slice(0, FOLDED_LINES - 1), `… ${lines.length - FOLDED_LINES + 1} more lines · ctrl+o shows all`];
}

interface CallStyle {
  readonly paint: Paint;
  /** What the file of the call has now; null when there is none. */
  readonly onDisk?: string | null;
}

/** What a call would do, for the question: a command, the change of a file, or all that another tool is told. */
export function callLines(toolName: string, input: unknown, { paint, onDisk = null }: CallStyle): string[] {
  const fields = isObject(input) ? input : { input };
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : null);
  const [name, command] = [text('file_path'), text('command')];
  if (toolName === 'Bash' && command !== null) return command.split('\n').map((line) => `$ ${visibleText(line)}`);
  const [before, after] = toolName === 'Edit' ? [text('old_string'), text('new_string')] : [onDisk, text('content')];
  if ((toolName === 'Edit' || toolName === 'Write') && name !== null && after !== null) {
    const diff = unifiedDiff({ name: inOneLine(name), before, after }, paint).trimEnd();
    return [
      ...(fields.replace_all === true ? [paint('yellow', 'replaces every occurrence in the file')] : []),
      ...(diff === '' ? [`${inOneLine(name)}: no change`] : diff.split('\n')),
    ];
  }
  return Object.entries(fields).map(([key, value]) => `${inOneLine(key)}: ${inOneLine(JSON.stringify(value) ?? '')}`);
}

/** Nothing in it looks like a line of its own. */
const inOneLine = (text: string) => visibleText(text).replaceAll('\n', '\\u{a}');
