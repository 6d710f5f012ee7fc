import type { ImageBlock, TextBlock } from '../../models/types.ts';
import { ownValue } from '../../system/ownValue.ts';
import { boundText } from '../boundText.ts';
import { fitImage } from '../files/image/fitImage.ts';
import { imageType } from '../files/image/imageHeader.ts';
import type { ToolOutcome } from '../tool.ts';

/** A server's answer to a call: parts of many kinds, some unknown to models. */
export interface McpResult extends Readonly<Record<string, unknown>> {
  readonly content?: unknown;
  readonly structuredContent?: unknown;
  readonly isError?: unknown;
}

export interface McpReading {
  readonly server: string;
  /** The tool's name for the model. */
  readonly toolName: string;
  /** The most characters of text in a result. */
  readonly maxCharacters: number;
  /** Saves content that models cannot read; returns the file's path. */
  readonly save: (bytes: Buffer, mediaType: string) => Promise<string>;
}

type Block = TextBlock | ImageBlock;

/** A result in Claude Code's words. */
export async function readMcpResult(result: McpResult, reading: McpReading): Promise<ToolOutcome> {
  const parts = Array.isArray(result.content) ? result.content.map(asPart) : [];
  if (result.isError === true) return { type: 'failed', message: errorOf(parts, reading) };
  // the structured form has the same content as the text, more precisely; neither includes images
  if (result.structuredContent !== undefined && !parts.some(({ type }) => type === 'image')) {
    const { text } = boundText(JSON.stringify(result.structuredContent), reading.maxCharacters);
    return { type: 'done', output: text, content: text };
  }
  const blocks: Block[] = [];
  for (const part of parts) blocks.push(...(await (ownValue(KINDS, part.type) ?? other)(part, reading)));
  const shown = bounded(blocks, reading.maxCharacters);
  const content = shown.length > 0 ? shown : `(${reading.toolName} completed with no output)`;
  return { type: 'done', output: shown, content };
}

/** A result that a hook replaced: text, or blocks of text and images; undefined for anything else. */
export function readReplacement(output: unknown): string | readonly Block[] | undefined {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return JSON.stringify(output);
  return output.every(isBlock) ? output : undefined;
}

function isBlock(value: unknown): value is Block {
  const part = asPart(value);
  if (part.type === 'text') return typeof part.text === 'string';
  const source = asPart(part.source);
  return part.type === 'image' && typeof source.data === 'string' && typeof source.media_type === 'string';
}

interface Part extends Readonly<Record<string, unknown>> {
  readonly type: string;
}

function asPart(value: unknown): Part {
  const fields = typeof value === 'object' && value !== null ? value : {};
  return { ...fields, type: 'type' in fields && typeof fields.type === 'string' ? fields.type : '' };
}

const text = (words: string): readonly Block[] => [{ type: 'text', text: words }];
const textAt = (part: Readonly<Record<string, unknown>>, name: string) =>
  typeof part[name] === 'string' ? part[name] : undefined;

function errorOf(parts: readonly Part[], { maxCharacters }: McpReading): string {
  const words = parts.flatMap((part) => textAt(part, 'text') ?? []).join('\n');
  return boundText(words, maxCharacters).text || 'Unknown error';
}

type Read = (part: Part, reading: McpReading) => Promise<readonly Block[]>;

const KINDS: Readonly<Record<string, Read>> = {
  text: async (part) => text(textAt(part, 'text') ?? ''),
  image: async (part, reading) => {
    const bytes = Buffer.from(textAt(part, 'data') ?? '', 'base64');
    const mediaType = imageType(bytes);
    const fitted = mediaType === null ? undefined : await fitImage(bytes, mediaType);
    if (fitted?.type !== 'fits') return saved('Image', part, reading);
    const place = await reading.save(bytes, fitted.mediaType);
    const source = { type: 'base64', media_type: fitted.mediaType, data: fitted.bytes.toString('base64') } as const;
    return [{ type: 'image', source }, ...text(`[Image: source: ${place}]`)];
  },
  audio: (part, reading) => saved('Audio', part, reading),
  resource: async (part, reading) => {
    const resource = asPart(part.resource);
    const place = `[Resource from ${reading.server} at ${textAt(resource, 'uri') ?? 'no address'}]`;
    const words = textAt(resource, 'text');
    if (words !== undefined) return text(`${place} ${words}`);
    return saved(
      `Resource at ${textAt(resource, 'uri') ?? 'no address'}`,
      { ...resource, data: resource.blob },
      reading,
    );
  },
  resource_link: async (part) => {
    const about = textAt(part, 'description');
    return text(
      `[Resource link: ${textAt(part, 'name') ?? ''}] ${textAt(part, 'uri') ?? ''}${about ? ` (${about})` : ''}`,
    );
  },
};

const other: Read = async (part) => text(JSON.stringify(part));

async function saved(kind: string, part: Part, reading: McpReading): Promise<readonly Block[]> {
  const bytes = Buffer.from(textAt(part, 'data') ?? '', 'base64');
  const mediaType = textAt(part, 'mimeType') ?? 'application/octet-stream';
  const place = await reading.save(bytes, mediaType);
  return text(
    `[${kind} from ${reading.server}] Binary content (${mediaType}, ${bytes.length} bytes) saved to ${place}`,
  );
}

/** Cuts the text of all blocks at the limit. */
function bounded(blocks: readonly Block[], limit: number): readonly Block[] {
  let left = limit;
  return blocks.map((block) => {
    if (block.type !== 'text') return block;
    const { text: kept } = boundText(block.text, Math.max(left, 0));
    left -= kept.length;
    return { ...block, text: kept };
  });
}
