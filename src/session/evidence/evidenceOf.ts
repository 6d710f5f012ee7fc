import { findCommands } from '../../permissions/shell/findCommands.ts';
import { isReadOnlyCommand } from '../../permissions/shell/readOnlyCommand.ts';
import { isTest } from '../../permissions/shell/testCommands.ts';
import {
  backgroundResult,
  callInput,
  type Evidence,
  type EvidenceBlock,
  type EvidenceCommand,
  interpretedResult,
} from '../../schemas/evidence.ts';

const MOST_COMMANDS = 50;
const MOST_FILES = 100;
const LONGEST_COMMAND = 300;

/** A line of a transcript; only those with a message count. */
export interface EvidenceLine {
  readonly type: string;
  readonly timestamp?: string | undefined;
  /** Written by the engine, not by a person. */
  readonly isMeta?: boolean | undefined;
  readonly isContext?: boolean | undefined;
  readonly isCompactSummary?: boolean | undefined;
  readonly message?: { readonly content: string | readonly EvidenceBlock[] };
  readonly toolUseResult?: unknown;
}

/** A tool call with its result. */
interface EndedCall {
  readonly name: string;
  readonly input: { readonly command?: string | undefined; readonly file?: string | undefined };
  readonly startedAt: string | undefined;
  readonly endedAt: string | undefined;
  readonly isError: boolean;
  readonly text: string;
  readonly inBackground: boolean;
  /** It exited with 1, which is an answer of its program and not a failure. */
  readonly isInterpreted: boolean;
}

/**
 * What a turn did, by the results of its tools: never by what the model wrote about it, and never by a mere mention of a check
 * in a command or its output.
 */
export function evidenceOf(lines: Iterable<EvidenceLine>): Evidence {
  const calls = endedCalls(lines);
  const commands = calls.flatMap((call) => (call.input.command === undefined ? [] : [commandOf(call)]));
  const edits = calls.filter(({ name, isError, input }) => EDITS.has(name) && !isError && input.file !== undefined);
  const files = [...new Set(edits.flatMap(({ input }) => input.file ?? []))];
  const lastEdit = calls.lastIndexOf(edits.at(-1) as EndedCall);
  const lastCheck = calls.findLastIndex((call) => !call.inBackground && isCheck(call.input.command ?? ''));
  const check = calls[lastCheck];
  const since = lastCheck < 0 ? [] : calls.slice(lastCheck + 1);
  return {
    commands: commands.slice(-MOST_COMMANDS),
    command_count: commands.length,
    files_changed: files.slice(-MOST_FILES),
    file_count: files.length,
    last_edit_at: edits.at(-1)?.endedAt ?? null,
    last_check:
      check === undefined ? null : { ...commandOf(check), exit_code_is_its_own: provesExit(check.input.command ?? '') },
    checked_after_last_edit: check === undefined || lastEdit < 0 ? null : lastCheck > lastEdit,
    commands_since_check: since.filter(({ input }) => input.command !== undefined && !isReadOnlyCommand(input.command))
      .length,
  };
}

const EDITS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** Of the turn that the last prompt began, in the order of their results. */
function endedCalls(lines: Iterable<EvidenceLine>): readonly EndedCall[] {
  const open = new Map<string, { readonly block: EvidenceBlock; readonly at: string | undefined }>();
  let ended: EndedCall[] = [];
  for (const line of lines) {
    if (isPrompt(line)) ended = [];
    for (const block of blocksOf(line)) {
      if (line.type === 'assistant' && block.type === 'tool_use' && block.id !== undefined) {
        open.set(block.id, { block, at: line.timestamp });
      }
      const call = block.type === 'tool_result' ? open.get(block.tool_use_id ?? '') : undefined;
      if (call !== undefined && line.type === 'user') ended.push(endedCall(call, block, line));
    }
  }
  return ended;
}

const blocksOf = ({ message }: EvidenceLine): readonly EvidenceBlock[] =>
  message === undefined || typeof message.content === 'string' ? [] : message.content;

function isPrompt({ type, isMeta, isContext, isCompactSummary, message }: EvidenceLine): boolean {
  if (type !== 'user' || message === undefined || isMeta || isContext || isCompactSummary) return false;
  const { content } = message;
  return typeof content === 'string' || content.every((block) => block.type !== 'tool_result');
}

function endedCall(
  { block, at }: { readonly block: EvidenceBlock; readonly at: string | undefined },
  result: EvidenceBlock,
  line: EvidenceLine,
): EndedCall {
  const { command, file_path, notebook_path } = callInput.safeParse(block.input).data ?? {};
  return {
    name: block.name ?? '',
    input: { command: block.name === 'Bash' ? command : undefined, file: file_path ?? notebook_path },
    startedAt: at,
    endedAt: line.timestamp,
    isError: result.is_error === true,
    text: typeof result.content === 'string' ? result.content : firstText(result.content),
    inBackground: backgroundResult.safeParse(line.toolUseResult).success,
    isInterpreted: interpretedResult.safeParse(line.toolUseResult).success,
  };
}

function firstText(content: unknown): string {
  const [first] = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
  return typeof first?.text === 'string' ? first.text : '';
}

function commandOf({
  input,
  startedAt,
  endedAt,
  isError,
  text,
  inBackground,
  isInterpreted,
}: EndedCall): EvidenceCommand {
  const command = input.command ?? '';
  const took = startedAt && endedAt ? Date.parse(endedAt) - Date.parse(startedAt) : Number.NaN;
  return {
    command: command.length > LONGEST_COMMAND ? `${command.slice(0, LONGEST_COMMAND - 1)}…` : command,
    // the 1 of `npm test && grep x f` may be that of the tests
    exit_code: inBackground ? null : isInterpreted ? 1 : exitCode(isError, text),
    duration_ms: Number.isFinite(took) ? took : null,
    ended_at: endedAt ?? null,
  };
}

/** The tool writes this line before a command's output. */
const EXIT = /^(?:<tool_use_error>)?(?:Error: )?Exit code (\d{1,3})\b/;

function exitCode(isError: boolean, text: string): number | null {
  if (!isError) return 0;
  const [, code] = EXIT.exec(text) ?? [];
  return code === undefined ? null : Number(code);
}

/** Whether a command of the line is a check; not one that only names it. */
function isCheck(command: string): boolean {
  if (command === '') return false;
  try {
    return findCommands(command).all.some(({ part, ofVariable }) => {
      const [program, ...args] = part.words.map(({ text }) => text);
      return !ofVariable && program !== undefined && isTest(program, args);
    });
  } catch {
    // a fault of the reader proves nothing
    return false;
  }
}

/** Whether exit code 0 means that the check passed: `npm test || true` and `pytest | tail` hide it. */
function provesExit(command: string): boolean {
  const bare = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"/g, '').replaceAll(/\d?>&\d|&>>?/g, '');
  return !/[|;\n]|(?<!&)&(?!&)|(?:^|&&)\s*!/.test(bare.trim());
}
