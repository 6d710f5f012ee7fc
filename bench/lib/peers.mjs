import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache.mjs';

const run = promisify(execFile);
const INSTALL_LIMIT_MS = 5 * 60_000;

/** Pinned, so that ratios stay comparable. */
export const PEERS = {
  // newer versions need versions of pi-schema and pi-ai that the registry does not have
  pi: { packageName: '@earendil-works/pi-agent-core', version: '0.87.1' },
  aiSdk: { packageName: 'ai', version: '7.0.169' },
  claudeCode: { packageName: '@anthropic-ai/claude-code', version: '2.1.325' },
  // without its copy of Claude Code, which the tests have already
  agentSdk: { packageName: '@anthropic-ai/claude-agent-sdk', version: '0.3.327', flags: ['--omit=optional'] },
  graphileWorker: { packageName: 'graphile-worker', version: '0.18.0' },
  // 12.38.0 needs a package that the registry does not have
  pgBoss: { packageName: 'pg-boss', version: '12.35.0' },
  // the newest ones that the registry can install together
  langchain: {
    packageName: 'langchain',
    version: '1.5.14',
    beside: [
      '@langchain/core@1.2.13',
      '@langchain/langgraph@1.4.18',
      '@langchain/langgraph-sdk@1.12.3',
      'deepagents@1.14.1',
    ],
  },
  mastra: { packageName: '@mastra/core', version: '1.71.0', beside: ['zod@4.6.7'] },
  openaiAgents: { packageName: '@openai/agents', version: '0.20.0', beside: ['zod@4.6.7'] },
  piCodingAgent: {
    packageName: '@earendil-works/pi-coding-agent',
    version: '0.87.1',
    beside: ['@earendil-works/pi-agent-core@0.87.1', '@earendil-works/pi-ai@0.87.1'],
  },
  bullmq: { packageName: 'bullmq', version: '6.7.0', beside: ['ioredis@5.11.1'] },
};

/**
 * Installs a peer into the benches' own cache (or another), once. A peer that cannot be installed is left out of the bench
 * and reported, so that a machine without the registry can still measure the others.
 */
export async function installPeer(name, { cache = cacheFolder('peers'), limitMs = INSTALL_LIMIT_MS } = {}) {
  const { packageName, version, beside = [], flags = [] } = PEERS[name];
  const prefix = path.join(cache, `${name}-${version}`);
  const folder = path.join(prefix, 'node_modules', packageName);
  if (installedVersion(folder) !== version) {
    console.error(`installing ${packageName}@${version} into ${prefix}`);
    try {
      await install([...flags, `${packageName}@${version}`, ...beside], { prefix, limitMs });
    } catch (error) {
      return {
        type: 'missing',
        reason: `${packageName}@${version} is left out: it could not be installed (${firstLine(error)}).`,
      };
    }
  }
  return { type: 'installed', folder, modules: path.join(prefix, 'node_modules'), label: `${packageName} ${version}` };
}

/** In a temporary place first, so that an interrupted install does not look complete. */
async function install(what, { prefix, limitMs }) {
  const partial = `${prefix}.${process.pid}`;
  const args = [
    'install',
    '--prefix',
    partial,
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--fetch-retries=1',
    ...what,
  ];
  mkdirSync(partial, { recursive: true });
  try {
    await run('npm', args, { cwd: partial, timeout: limitMs, env: outsideOfNpm() });
    rmSync(prefix, { recursive: true, force: true });
    renameSync(partial, prefix);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Claude Code has its native program, which people run, in one package per platform. */
export async function installClaudeCode(options) {
  const peer = await installPeer('claudeCode', options);
  if (peer.type === 'missing') return peer;
  const platform = `${process.platform}-${process.arch}`;
  const names = [`claude-code-${platform}`, `claude-code-${platform}-musl`];
  const programs = names.map((name) => path.join(peer.modules, '@anthropic-ai', name, 'claude'));
  const program = programs.find((candidate) => existsSync(candidate));
  if (!program)
    return {
      type: 'missing',
      reason: `Claude Code is left out: there is no program for ${platform} in ${peer.modules}.`,
    };
  return { ...peer, program };
}

function installedVersion(folder) {
  try {
    return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
  } catch {
    return undefined;
  }
}

/** Under `npm run`, npm's own variables would make the inner npm use this package. */
function outsideOfNpm() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')));
}

function firstLine(error) {
  const text = String(error.stderr || error.message);
  return text.split('\n').find((line) => line.trim() !== '') ?? 'no reason given';
}
