import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { HostEvent } from './hostDriver.ts';

export type HostName = 'claude' | 'codex' | 'gemini' | 'qwen' | 'copilot' | 'opencode' | 'pi';

export interface HostRelease {
  readonly version: string;
  readonly packageName: string;
  /** Events of its driver that this version does not have. */
  readonly lacks?: readonly HostEvent[];
  /** The file that starts it, in its package. */
  readonly script?: string;
  /** Its program is bundled and needs only these; the registry does not have all that the package names. */
  readonly needs?: readonly string[];
}

/** How an agent's real program is installed and started. */
export interface HostPackage {
  /** Runs in every test run. */
  readonly newest: HostRelease;
  /** Runs when STOPGATE_ALL_HOSTS is 1. */
  readonly older: HostRelease;
  /** The words that start the program; null when it is not there for this platform. */
  program(modules: string, release: HostRelease): readonly string[] | null;
}

const PLATFORM = `${process.platform}-${process.arch}`;

const native =
  (...places: readonly string[]) =>
  (modules: string): readonly string[] | null => {
    const file = places.map((place) => path.join(modules, place)).find((candidate) => existsSync(candidate));
    return file ? [file] : null;
  };

const script =
  (usual: string) =>
  (modules: string, release: HostRelease): readonly string[] | null => {
    const file = path.join(modules, release.packageName, release.script ?? usual);
    return existsSync(file) ? [process.execPath, file] : null;
  };

/** Its folder is named after the compiler's target. */
function codexProgram(modules: string): readonly string[] | null {
  const vendor = path.join(modules, `@openai/codex-${PLATFORM}/vendor`);
  const targets = existsSync(vendor) ? readdirSync(vendor) : [];
  const places = targets.flatMap((target) => [`${target}/bin/codex`, `${target}/codex/codex`]);
  return native(...places)(vendor);
}

const releases = (packageName: string, newest: string, older: string) => ({
  newest: { packageName, version: newest },
  older: { packageName, version: older },
});

/** Pinned, so that a payload that changes is a decision and not an accident. */
export const HOST_PACKAGES: Readonly<Record<HostName, HostPackage>> = {
  claude: {
    ...releases('@anthropic-ai/claude-code', '2.1.327', '2.1.325'),
    program: native(...['', '-musl'].map((libc) => `@anthropic-ai/claude-code-${PLATFORM}${libc}/claude`)),
  },
  codex: { ...releases('@openai/codex', '0.169.0', '0.166.0'), program: codexProgram },
  gemini: { ...releases('@google/gemini-cli', '0.61.0', '0.60.0'), program: script('bundle/gemini.js') },
  qwen: { ...releases('@qwen-code/qwen-code', '0.24.4', '0.23.4'), program: script('cli-entry.js') },
  copilot: { ...releases('@github/copilot', '1.0.102', '1.0.92'), program: script('npm-loader.js') },
  // the package that people install is a stub that needs its install script; this is what the script fetches
  opencode: {
    ...releases(`opencode-${PLATFORM}`, '1.18.33', '1.17.19'),
    program: native(`opencode-${PLATFORM}/bin/opencode`),
  },
  pi: {
    newest: {
      packageName: '@earendil-works/pi-coding-agent',
      version: '1.5.2',
      needs: ['jiti@2.7.0'],
      script: 'dist/bundle/cli.js',
    },
    older: { packageName: '@mariozechner/pi-coding-agent', version: '0.73.1', lacks: ['stop'] },
    program: script('dist/cli.js'),
  },
};
