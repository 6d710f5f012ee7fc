/** What the end of a checked turn loads. */
export { readSession } from '../readLedger.ts';
export { writeReceipt } from './writeReceipt.ts';
