import * as z from 'zod';

// built on demand: most sessions need none of these

const MEMORY_TYPES = ['user', 'project', 'reference', 'feedback'] as const;

/** The front matter of one memory file. */
export const memoryFrontMatter = z.lazy(() =>
  z.looseObject({
    name: z.string().min(1),
    description: z.string(),
    type: z.enum(MEMORY_TYPES),
    created: z.string(),
    updated: z.string().optional(),
    /** The session it was learned in. */
    session: z.string(),
    /** Its source: the user, or the output of a tool, which may come from anywhere. */
    evidence: z.enum(['user', 'tool']).default('tool'),
    /** The words it is based on. */
    quote: z.string().default(''),
  }),
);

export type MemoryFrontMatter = z.output<typeof memoryFrontMatter>;

const fact = () => ({ name: z.string(), description: z.string(), type: z.enum(MEMORY_TYPES), content: z.string() });

/** One fact as a model proposes it; each is checked on its own. */
export const proposedMemory = z.lazy(() => z.looseObject({ ...fact(), evidence: z.string() }));

export type ProposedMemory = z.output<typeof proposedMemory>;

export const extractionAnswer = z.lazy(() => z.looseObject({ memories: z.array(z.unknown()) }));

/** How far a session's conversation was read: the number of messages, and the digest of the last one. */
export const extractionCursor = z.lazy(() => z.looseObject({ messages: z.int().min(0), digest: z.string() }));

export type ExtractionCursor = z.output<typeof extractionCursor>;

export const dreamAnswer = z.lazy(() =>
  z.looseObject({
    write: z.array(z.looseObject({ ...fact(), merged_from: z.array(z.string()) })).default([]),
    drop: z.array(z.looseObject({ name: z.string(), reason: z.string().default('') })).default([]),
  }),
);

export type DreamAnswer = z.output<typeof dreamAnswer>;

/** When memory was last consolidated (0: never), its digest then, and when a later try failed. */
export const dreamState = z.lazy(() =>
  z.looseObject({
    lastDreamAt: z.number(),
    digest: z.string(),
    failedAt: z.number().optional(),
  }),
);

export type DreamState = z.output<typeof dreamState>;
