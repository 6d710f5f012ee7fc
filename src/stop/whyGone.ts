import { existsSync } from 'node:fs';
import { type GateEnding, notArmedEnding } from './gateEnding.ts';

/** Of a session that began with a configuration, which no longer holds for its folder. */
export const goneEnding = (file: string): GateEnding =>
  notArmedEnding(
    existsSync(file) ? `${file} no longer holds for this folder` : `${file} was deleted during this session`,
  );
