import * as z from 'zod';

const word = z.string().min(1);

/** A service that opens pull requests. */
const prWebhook = z.strictObject({
  /** The default of `--pr-webhook`. */
  url: word.optional(),
  /** Where the secret is that requests are signed with: a variable, or a file of mode 0600. */
  secretEnv: word.optional(),
  secretFile: word.optional(),
  /** `30s`, or seconds. */
  timeout: z.union([word, z.number().positive()]).optional(),
});

/** `review.json` in Stopgate's folder of the user: how they want accepted work to land. Never read from a repository. */
export const reviewConfig = z.strictObject({
  /** The default of `--merge`, `--rebase` and `--squash`. */
  method: z.enum(['merge', 'rebase', 'squash']).optional(),
  /** The default of `--into`. */
  into: word.optional(),
  /** What `review accept --pr` runs. */
  prCommand: word.optional(),
  /** What `review accept --pr` calls. */
  prWebhook: prWebhook.optional(),
});

export type ReviewConfig = z.output<typeof reviewConfig>;

/** What a webhook answers when it has opened a pull request, or had opened it before. */
export const webhookAnswer = z.object({ url: z.string().min(1).max(2_000) });
