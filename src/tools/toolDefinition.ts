import * as z from 'zod';
import type { ToolDefinition } from '../models/types.ts';
import { ownValue } from '../system/ownValue.ts';
import { allTools } from './allTools.ts';
import type { Tool } from './tool.ts';

declare const STOPGATE_TOOL_SCHEMAS: Readonly<Record<string, ToolDefinition['inputSchema']>> | undefined;

/** Of our own tools, by name. Set by the build, because converting them takes 5ms of every start; the sources have none. */
const computed = typeof STOPGATE_TOOL_SCHEMAS === 'undefined' ? {} : STOPGATE_TOOL_SCHEMAS;

const known = new WeakMap<Tool, ToolDefinition>();

/** A tool's definition for models, created once, so that requests share it. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const definition = known.get(tool) ?? define(tool);
  known.set(tool, definition);
  return definition;
}

function define(tool: Tool): ToolDefinition {
  const { name, description, inputSchema } = tool;
  const jsonSchema = tool.jsonSchema ?? (allTools().includes(tool) ? ownValue(computed, name) : undefined);
  if (jsonSchema) return { name, description, inputSchema: withoutDialect(jsonSchema) };
  return { name, description, inputSchema: withoutDialect(z.toJSONSchema(inputSchema, { io: 'input' })) };
}

/** Some providers refuse a schema with `$schema`. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return schema;
}
