import { realpathSync } from 'node:fs';
import { attempt } from './attempt.ts';

/** Where a path leads through links; the path itself where it leads nowhere. */
export const realPath = (file: string): string => attempt(() => realpathSync(file), file);
