import type { HostDriver } from '../hostDriver.ts';
import type { HostName } from '../hostPackages.ts';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { pi } from './pi.ts';
import { qwen } from './qwen.ts';

export const HOST_DRIVERS: Readonly<Record<HostName, HostDriver>> = {
  claude,
  codex,
  gemini,
  qwen,
  copilot,
  opencode,
  pi,
};

export const driverOf = (name: HostName): HostDriver => HOST_DRIVERS[name];
