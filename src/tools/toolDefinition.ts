import * as z from 'zod';
import type { ToolDefinition } from '../models/types.ts';
import type { Tool } from './tool.ts';

const known = new WeakMap<Tool, ToolDefinition>();

/** A tool's definition for models, created once, so that requests share it. */
export function toolDefinition(tool: Tool): ToolDefinition {
  const definition = known.get(tool) ?? define(tool);
  known.set(tool, definition);
  return definition;
}

function define({ name, description, inputSchema, jsonSchema }: Tool): ToolDefinition {
  if (jsonSchema) return { name, description, inputSchema: withoutDialect(jsonSchema) };
  return { name, description, inputSchema: withoutDialect(z.toJSONSchema(inputSchema, { io: 'input' })) };
}

/** Some providers refuse a schema with `$schema`. */
function withoutDialect({ $schema: _, ...schema }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return schema;
}
