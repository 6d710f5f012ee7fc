import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { formatJsonPath, type JsonPath, locateJsonPath, parseJson } from '../../schemas/json.ts';
import { type ScriptedModelFile, scriptedModel as scriptSchema } from '../../schemas/scriptedModel.ts';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { Model } from '../types.ts';
import { replyChooser } from './chooseReply.ts';
import { scriptedModel } from './scriptedModel.ts';

export type LoadedScript = { readonly type: 'ok'; readonly model: Model } | BadScript;

interface BadScript {
  readonly type: 'bad';
  readonly message: string;
}

/** The model of `scripted:FILE`, or a message with the place of the error in the file. */
export function loadScript(file: string, clock: Clock = systemClock): LoadedScript {
  const read = readScript(file);
  if (read.type === 'bad') return read;
  const { model, replies } = read.script;
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

function readScript(file: string): { readonly type: 'ok'; readonly script: ScriptedModelFile } | BadScript {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return bad(`the script ${file} cannot be read (${reason}); check the path after scripted:`);
  }
  const json = parseJson(text);
  if (json.type === 'broken') return bad(`the script ${file}:${json.line}:${json.column} is not JSON: ${json.message}`);
  const script = scriptSchema.safeParse(json.value);
  if (script.success) return { type: 'ok', script: script.data };
  const [issue] = script.error.issues;
  const path: JsonPath = issue?.path.map((step) => (typeof step === 'number' ? step : String(step))) ?? [];
  const place = locateJsonPath(text, path);
  const where = place ? `${file}:${place.line}:${place.column}` : file;
  return bad(`the script ${where} is not valid at ${formatJsonPath(path) || 'its top'}: ${issue?.message}`);
}

function bad(message: string): BadScript {
  return { type: 'bad', message };
}
