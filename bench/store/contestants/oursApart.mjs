// The same store, asked twice a task: once to claim and once to complete.
export { fill, open } from './ours.mjs';
