import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { scriptedModel as scriptSchema } from '../../schemas/scriptedModel.ts';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { Model } from '../types.ts';
import { replyChooser } from './chooseReply.ts';
import { scriptedModel } from './scriptedModel.ts';

export type LoadedScript =
  | { readonly type: 'ok'; readonly model: Model }
  | { readonly type: 'bad'; readonly message: string };

/** The model of `scripted:FILE`, or a sentence with the file and the place in it that is wrong. */
export function loadScript(file: string, clock: Clock = systemClock): LoadedScript {
  const read = readJson(file);
  if (read.type === 'bad') return read;
  const script = scriptSchema.safeParse(read.value);
  if (!script.success) {
    const [issue] = script.error.issues;
    const place = issue && issue.path.length > 0 ? `${pathText(issue.path)}: ` : '';
    return bad(`the script ${file} is not valid at ${place}${issue?.message ?? 'unknown place'}`);
  }
  const { model, replies } = script.data;
  return {
    type: 'ok',
    model: scriptedModel({
      id: `scripted:${file}`,
      scriptName: basename(file),
      modelName: model?.name,
      contextWindow: model?.contextWindow,
      maxOutputTokens: model?.maxOutputTokens,
      choose: replyChooser(replies),
      clock,
    }),
  };
}

type ReadJson = { readonly type: 'ok'; readonly value: unknown } | { readonly type: 'bad'; readonly message: string };

function readJson(file: string): ReadJson {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return bad(`the script ${file} cannot be read (${reasonOf(error)}); check the path after scripted:`);
  }
  try {
    return { type: 'ok', value: JSON.parse(text) };
  } catch (error) {
    return bad(`the script ${file} is not JSON: ${reasonOf(error)}`);
  }
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((step, place) => (typeof step === 'number' ? `[${step}]` : `${place > 0 ? '.' : ''}${String(step)}`))
    .join('');
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function bad(message: string): { type: 'bad'; message: string } {
  return { type: 'bad', message };
}
