// The same store, with two calls per task: one to claim and one to complete.
export { fill, open } from './ours.mjs';
