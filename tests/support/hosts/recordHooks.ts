import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { driverOf } from './drivers/all.ts';
import type { HostEvent } from './hostDriver.ts';
import type { HostName } from './hostPackages.ts';
import type { Body } from './model/wire.ts';
import { putFiles } from './setUpHost.ts';

export interface RecordedEvent {
  readonly event: HostEvent;
  readonly payload: Body;
}

/** Hooks that write down what an agent sends them, and answer nothing. */
export function recordHooks(name: HostName, project: { readonly dir: string; readonly home: string }) {
  const folder = path.join(project.home, 'recorded');
  mkdirSync(folder, { recursive: true });
  // named by time and process: hooks may run beside each other
  const command = (event: HostEvent) => `cat > '${folder}'/$(date +%s%N).$$.${event}`;
  putFiles(driverOf(name).hooks({ ...project, url: '' }, command));
  return {
    events: (): RecordedEvent[] =>
      (existsSync(folder) ? readdirSync(folder) : []).sort().map((file) => ({
        event: path.extname(file).slice(1) as HostEvent,
        payload: JSON.parse(readFileSync(path.join(folder, file), 'utf8') || 'null'),
      })),
  };
}
