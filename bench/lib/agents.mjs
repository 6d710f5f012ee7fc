import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { REPOSITORY } from './cache.mjs';

export const stopgate = { label: 'stopgate', command: [process.execPath, path.join(REPOSITORY, 'bin', 'stopgate.js')] };
export const claudeCode = ({ program, label }) => ({ label, command: [program] });

/** A home and a project for one agent, removed after the bench. */
export function makePlace() {
  const root = mkdtempSync(path.join(os.tmpdir(), 'stopgate-bench-'));
  const home = path.join(root, 'home');
  const project = path.join(root, 'project');
  mkdirSync(home);
  mkdirSync(project);
  return {
    home,
    project,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }),
  };
}

/**
 * One headless prompt, from process start to exit. Both agents get the same flags and the same small environment;
 * nothing in it leads to another machine.
 */
export function runAgent(agent, { place, url, prompt = 'Go.', allowedTools = [], limitMs = 120_000 }) {
  const [program, ...first] = agent.command;
  const args = [...first, '-p', prompt, '--output-format', 'stream-json', '--verbose', '--model', 'claude-sonnet-4-5'];
  if (allowedTools.length > 0) args.push('--allowedTools', allowedTools.join(','));
  const startedAt = performance.now();
  const child = spawn(program, args, {
    cwd: place.project,
    env: environment(place, url),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return ended(child, { label: agent.label, startedAt, limitMs });
}

function environment({ home }, url) {
  return {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_API_KEY: 'dummy',
    ANTHROPIC_BASE_URL: url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    STOPGATE_TRUST_PROJECT: '1',
  };
}

function ended(child, { label, startedAt, limitMs }) {
  return new Promise((resolve, reject) => {
    const out = { tail: '', errors: '', peakMb: 0, late: false };
    const limit = setTimeout(() => {
      out.late = true;
      child.kill('SIGKILL');
    }, limitMs);
    const watch = setInterval(() => {
      out.peakMb = peakMemoryOf(child.pid) ?? out.peakMb;
    }, 100);
    child.stdout.on('data', (chunk) => {
      out.tail = (out.tail + chunk).slice(-4000);
    });
    child.stderr.on('data', (chunk) => {
      out.errors = (out.errors + chunk).slice(-2000);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      clearInterval(watch);
      if (out.late) reject(new Error(`${label} took more than ${limitMs / 1000} s`));
      else if (code !== 0)
        reject(new Error(`${label} ended with ${signal ?? `exit code ${code}`}: ${out.errors || out.tail}`));
      else resolve({ startedAt, endedAt: performance.now(), peakMb: out.peakMb });
    });
  });
}

/** Linux only: other systems do not show this from outside. */
function peakMemoryOf(pid) {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kilobytes ? Number(kilobytes) / 1024 : undefined;
  } catch {
    return undefined;
  }
}
