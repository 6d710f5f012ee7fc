import * as z from 'zod';

/** A file that an approved entry runs, as it was approved. Paths start at the trusted folder. */
const trustedFile = z.lazy(() =>
  z.union([
    z.object({
      is: z.literal('file'),
      path: z.string(),
      /** Where it really was, if a link led there; absolute outside the repository. */
      real: z.string().nullable(),
      digest: z.string(),
      executable: z.boolean(),
      /** Its size, for people; records of older versions have none. */
      bytes: z.number().optional(),
      /** What `stat` returned; null when the file was too new for that to tell versions apart. */
      stamp: z.string().nullable(),
    }),
    /** It would run, or be obeyed, if it appeared. */
    z.object({ is: z.literal('missing'), path: z.string() }),
    /** Scripts of a package.json by name; null for one that did not exist and would run before or after another. */
    z.object({
      is: z.literal('scripts'),
      path: z.string(),
      scripts: z.record(z.string(), z.string().nullable()),
      stamp: z.string().nullable(),
    }),
  ]),
);

const trustedItem = z.lazy(() =>
  z.object({
    kind: z.string(),
    /** Names the same thing before and after an edit. */
    id: z.string(),
    digest: z.string(),
    /** What it was, for the difference; null where that may contain secrets. */
    text: z.string().nullable(),
    /** Keys of `files`. */
    files: z.array(z.string()),
  }),
);

const trustedContent = z.lazy(() =>
  z.object({ items: z.array(trustedItem), files: z.record(z.string(), trustedFile) }),
);

/** What a person approved of a folder. Without `content` the record is of an older version, which trusted a path. */
export const trustRecord = z.lazy(() =>
  z.looseObject({
    folder: z.string(),
    trustedAt: z.string(),
    content: trustedContent.optional(),
    /** Approvals before the latest, newest first: those of other branches. */
    earlier: z.array(z.object({ trustedAt: z.string(), content: trustedContent })).optional(),
  }),
);

export type TrustRecord = z.output<typeof trustRecord>;
export type TrustedContent = NonNullable<TrustRecord['content']>;
export type TrustedItem = z.output<typeof trustedItem>;
export type TrustedFile = z.output<typeof trustedFile>;

/** Texts of approved files by digest, to show what changed. */
export const keptTexts = z.record(z.string(), z.string());
