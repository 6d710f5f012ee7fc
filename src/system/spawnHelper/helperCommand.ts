import { constants } from 'node:os';
import { getSystemErrorName } from 'node:util';
import type { ChildExit, ChildListener, ChildSpec, StartedChild } from '../childStarter.ts';
import { ownValue } from '../ownValue.ts';
import type { InputSource } from './frames.ts';

/** A command that was sent to the helper and has not ended yet. */
export interface HelperCommand {
  readonly spec: ChildSpec;
  readonly listener: ChildListener;
  readonly input: InputSource;
  pid?: number;
  /** Set when the helper broke before it started the command. */
  plain?: StartedChild;
}

const SIGNAL_NAMES = new Map(Object.entries(constants.signals).map(([name, number]) => [number, name]));

const FRAMES: Readonly<Record<string, (command: HelperCommand, payload: Buffer) => ChildExit | undefined>> = {
  P: (command, payload) => {
    command.pid = payload.readUInt32BE(0);
    command.listener.started(command.pid);
    return undefined;
  },
  O: ({ listener }, payload) => {
    listener.output('stdout', payload);
    return undefined;
  },
  S: ({ listener }, payload) => {
    listener.output('stderr', payload);
    return undefined;
  },
  X: (_command, payload) => gone(payload.readUInt32BE(0), false),
  L: (_command, payload) => gone(payload.readUInt32BE(0), true),
  F: (_command, payload) => {
    const code = getSystemErrorName(-payload.readUInt32BE(0));
    return { type: 'notStarted', error: Object.assign(new Error(code), { code }) };
  },
};

function gone(status: number, mayHaveLeftOthers: boolean): ChildExit {
  const signal = status & 127;
  if (signal === 0) return { type: 'gone', code: status >> 8, signal: null, mayHaveLeftOthers };
  return { type: 'gone', code: null, signal: SIGNAL_NAMES.get(signal) ?? `signal ${signal}`, mayHaveLeftOthers };
}

/** Passes a frame on to the listener of its command; the end of the command is returned instead. */
export function dispatch(command: HelperCommand, type: string, payload: Buffer): ChildExit | undefined {
  return ownValue(FRAMES, type)?.(command, payload);
}
