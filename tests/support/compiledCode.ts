/**
 * The folder of the whole run for compiled code. Every project of a test has a new home, and without this each of their
 * commands would compile all of its code and write it down.
 */
export const COMPILED_CODE = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '' };

/** Threads that collect memory cost a program of Bun that is over in seconds a tenth of its processor time. */
export const BRIEF_BUN = { BUN_JSC_numberOfGCMarkers: '1', BUN_JSC_useConcurrentGC: '0' };

/** As on a user's machine: compiled code is kept in the home. */
export const COMPILED_CODE_AT_HOME = { NODE_COMPILE_CACHE: '' };
