import * as z from 'zod';

/** Names that a person gave to sessions of a project, by their ids. */
export const sessionNames = z.record(z.string(), z.string());
