import path from 'node:path';
import { parseDuration } from '../../budget/timeBudget.ts';
import { formatJsonPath, locateJsonPath, parseJson, repeatedKey } from '../../schemas/json.ts';
import { type CheckConfig, type JudgeConfig, stopgateConfig } from '../../schemas/stopgateConfig.ts';
import { readTextFile } from '../../system/readTextFile.ts';
import { configProblem } from './configProblem.ts';
import { findConfig } from './findConfig.ts';
import type { Check, DefinitionOfDone, GivenDefinition, JudgeRule } from './types.ts';

const DEFAULT_TIMEOUT_SECONDS = 10 * 60;
const DEFAULT_LINES = 40;
const DEFAULT_STALL_AFTER = 2;
const DEFAULT_MAX_BLOCKS = 20;
const LARGEST_BYTES = 1024 * 1024;

export type ReadConfig =
  | { readonly type: 'none' }
  | { readonly type: 'config'; readonly done: DefinitionOfDone }
  /** One sentence with the file, the position and the fix. */
  | { readonly type: 'broken'; readonly message: string };

export async function readConfig(folder: string): Promise<ReadConfig> {
  const file = findConfig(folder);
  return file === null ? { type: 'none' } : readConfigFile(file);
}

/** The definition of a session: given by a program, or in a file. */
export async function readDefinition(file: string, definition: GivenDefinition | undefined): Promise<ReadConfig> {
  if (definition?.file === file && definition.text !== null) return parseConfig(definition.text, file);
  return readConfigFile(file);
}

export async function readConfigFile(file: string): Promise<ReadConfig> {
  const text = await readBounded(file);
  if (typeof text !== 'string') return { type: 'broken', message: `${file} ${text.problem}; no check was run.` };
  return parseConfig(text, file);
}

async function readBounded(file: string): Promise<string | { readonly problem: string }> {
  const read = await readTextFile(file, LARGEST_BYTES);
  if (read.type === 'missing') return { problem: 'cannot be read (ENOENT)' };
  if (read.type === 'unreadable') {
    const isOther = /folder|regular/.test(read.message);
    return { problem: isOther ? 'is not a regular file' : `cannot be read: ${read.message}` };
  }
  return read.cut ? { problem: 'is larger than 1 MB' } : read.text;
}

export function parseConfig(text: string, file: string): ReadConfig {
  const json = parseJson(text);
  if (json.type === 'broken') {
    return { type: 'broken', message: `${file}:${json.line}:${json.column}: ${json.message}; no check was run.` };
  }
  const repeated = repeatedKey(text);
  if (repeated) {
    const what = `${formatJsonPath(repeated.path)} appears twice, and only the last one would count`;
    return { type: 'broken', message: `${file}:${repeated.line}: ${what}; no check was run.` };
  }
  const read = stopgateConfig.safeParse(json.value);
  if (!read.success) {
    return { type: 'broken', message: `${file}:${configProblem(text, json.value, read.error)}; no check was run.` };
  }
  const { checks = [], when, stallAfter = DEFAULT_STALL_AFTER, maxBlocks = DEFAULT_MAX_BLOCKS } = read.data;
  const { protect = [], editable = [], judge } = read.data;
  if (judge !== undefined && !checks.some(({ severity }) => severity !== 'warn')) {
    const line = locateJsonPath(text, ['judge'])?.line ?? 1;
    return { type: 'broken', message: `${file}:${line}: judge: ${JUDGE_ALONE}; no check was run.` };
  }
  if (checks.length + protect.length === 0) return { type: 'none' };
  const folder = path.dirname(file);
  return {
    type: 'config',
    done: {
      file,
      checks: checks.map((check) => resolveCheck({ ...(when && { when }), ...check }, folder)),
      stallAfter,
      maxBlocks,
      protect,
      editable,
      judge: judge === undefined ? null : judgeRule(judge),
    },
  };
}

const JUDGE_ALONE = 'needs a check before it that can block, because a model is never the only one that decides';
const DEFAULT_JUDGE_SECONDS = 2 * 60;
const DEFAULT_REJECTIONS = 2;

/** With the defaults filled in; also for a task that has criteria of its own. */
export function judgeRule({ criteria, model, timeout, onError, maxRejections }: JudgeConfig): JudgeRule {
  return {
    criteria: criteria ?? null,
    model: model ?? null,
    timeoutMs: secondsOf(timeout, DEFAULT_JUDGE_SECONDS) * 1000,
    onError: onError ?? 'accept',
    maxRejections: maxRejections ?? DEFAULT_REJECTIONS,
  };
}

function secondsOf(duration: string | number | undefined, otherwise: number): number {
  if (typeof duration !== 'string') return duration ?? otherwise;
  return parseDuration(duration) ?? otherwise;
}

function resolveCheck(config: CheckConfig, folder: string): Check {
  const {
    command,
    name,
    timeout,
    when = 'default',
    lines = DEFAULT_LINES,
    cwd = '.',
    inputs = [],
    severity = 'block',
    baseline = null,
    report = null,
  } = config;
  const [file, ...args] = typeof command === 'string' ? ['/bin/sh', '-c', command] : command;
  const commandText = typeof command === 'string' ? command : command.join(' ');
  return {
    name: name ?? commandText,
    commandText,
    file: file ?? '',
    args,
    cwd: path.resolve(folder, cwd),
    timeoutMs: secondsOf(timeout, DEFAULT_TIMEOUT_SECONDS) * 1000,
    when,
    lines,
    inputs: inputs.map((input) => path.resolve(folder, input)),
    folder,
    severity,
    baseline,
    report: report && { format: report.format, path: report.path ?? null },
  };
}
