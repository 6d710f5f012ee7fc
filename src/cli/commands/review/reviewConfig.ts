import path from 'node:path';
import { jsonValue } from '../../../schemas/jsonValue.ts';
import { type ReviewConfig, reviewConfig } from '../../../schemas/reviewConfig.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import { UserError } from '../../../system/userError.ts';

const LARGEST = 64 * 1024;

/** The user's own defaults; empty without a file. */
export function readReviewConfig(stopgateHome: string): ReviewConfig {
  const file = path.join(stopgateHome, 'review.json');
  const read = readTextFileSync(file, LARGEST);
  if (read.type !== 'read') return {};
  const parsed = reviewConfig.safeParse(jsonValue(read.text) ?? null);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new UserError(
    `${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}; correct it, or remove the file.`,
  );
}
