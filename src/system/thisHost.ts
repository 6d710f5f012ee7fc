import { hash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { attempt } from './attempt.ts';
import { createOnce } from './createOnce.ts';
import { bootId } from './machineBoot.ts';
import { stopgateHome } from './stopgateHome.ts';

/** Of the first processes of a machine, on every Linux. */
const FIRST_PIDS = 'pid:[4026531836]';
const KEY_LENGTH = 10;

const known = new Map<string, string>();

/**
 * The machine of this process in a store: its name for people, a key, and its current start. Two machines may have one name, and one
 * machine several in its life. The key is derived from a random id in Stopgate's folder and from the id of the system; it outlives a
 * restart. The start is the same for every user of the machine. Both are derived from the processes of a container as well: a pid of
 * another container says nothing here.
 */
export function thisHost(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const boot = bootId();
  const start = boot === null ? '' : `.${digest([boot, container()])}`;
  return `${hostname()}#${machineKey(stopgateHome(env))}${start}`;
}

const digest = (parts: readonly string[]) => hash('sha256', parts.join('\n')).slice(0, KEY_LENGTH);

/** Empty outside of one. */
function container(): string {
  const pids = attempt(() => readlinkSync('/proc/self/ns/pid'), FIRST_PIDS);
  return pids === FIRST_PIDS ? '' : pids;
}

/** The short name of this machine, and a part of its key: for names that must not be those of another machine. */
export function ownName(keyLength = 4): string {
  const [, key = ''] = thisHost().split('#');
  return `${hostname().split('.')[0]}-${key.slice(0, keyLength)}`;
}

function machineKey(home: string): string {
  const before = known.get(home);
  if (before !== undefined) return before;
  const key = digest([ownId(home), systemId(), container()]);
  known.set(home, key);
  return key;
}

/** Empty where the folder cannot be written: then the id of the system decides. */
function ownId(home: string): string {
  const file = path.join(home, 'machine-id');
  const read = () => attempt(() => readFileSync(file, 'utf8').trim(), '');
  const before = read();
  if (before !== '') return before;
  attempt(() => createOnce(file, `${randomBytes(16).toString('hex')}\n`), undefined);
  return read();
}

const systemId = () => attempt(() => readFileSync('/etc/machine-id', 'utf8').trim(), '');

/** Whether two recorded hosts are one machine; a record of an older version has only its name. */
export function isSameHost(one: string | null, other: string): boolean {
  if (one === null) return false;
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.key === undefined || b.key === undefined) return a.name === b.name;
  return a.key === b.key || (a.start !== undefined && a.start === b.start);
}

function partsOf(host: string) {
  const [name, rest] = host.split('#');
  const [key, start] = rest?.split('.') ?? [];
  return { name, key, start };
}

/** The name of a recorded host, for people. */
export const hostNameOf = (host: string): string => host.split('#')[0] ?? host;
