import { type McpToolHook, McpToolHookSchema } from '../../schemas/hooks.ts';
import { type JsonObject, valueAt } from '../../schemas/jsonValue.ts';
import { defineKind, type HookKind, type KindFacts } from '../kind.ts';
import { failed } from '../outcome.ts';
import { readAnswer } from '../readAnswer.ts';
import { bounded, unfinished } from './bounded.ts';
import { asText, fillValue } from './template.ts';

export const mcpToolFacts: KindFacts<McpToolHook> = {
  type: 'mcp_tool',
  schema: McpToolHookSchema,
  fields: Object.keys(McpToolHookSchema.shape),
  label: ({ server, tool }) => `${server}:${tool}`,
};

export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** `text`: the tool's text content, joined. A server that is not connected is a failure, not an exception. */
export type McpAnswer =
  | { readonly type: 'ok'; readonly text: string; readonly isError?: boolean }
  | { readonly type: 'failed'; readonly message: string };

export type CallMcpTool = (call: McpCall) => Promise<McpAnswer>;

/** Hooks that are a tool of a connected MCP server; its text is read as a command's output would be. */
export function mcpToolHook(callMcpTool: CallMcpTool): HookKind {
  return defineKind<McpToolHook>({
    ...mcpToolFacts,
    async run(settings, event, context) {
      const { server, tool } = settings;
      const input = inputFor(settings.input ?? {}, event.input);
      const end = await bounded(context, (signal) => callMcpTool({ server, tool, input, signal }));
      if (end.type !== 'done') return unfinished(end, context.timeoutMs);
      const stdout = end.value.type === 'ok' ? end.value.text : '';
      const printed = { stdout, stderr: '', durationMs: end.durationMs };
      if (end.value.type === 'failed') return failed('answer', end.value.message, printed);
      if (end.value.isError)
        return failed('answer', `the tool answered with an error: ${stdout.slice(0, 500)}`, printed);
      return readAnswer(printed, event.row);
    },
  });
}

function inputFor(template: JsonObject, input: JsonObject): JsonObject {
  // measured: whatever is filled in is text, also where a placeholder stands alone
  const fill = (value: unknown) => fillValue(value, (path) => asText(valueAt(input, path.split('.'))));
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fill(value)]));
}
