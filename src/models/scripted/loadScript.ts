import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { formatJsonPath, type JsonPath, locateJsonPath, parseJson } from '../../schemas/json.ts';
import { scriptedModel as scriptSchema } from '../../schemas/scriptedModel.ts';
import { type Clock, systemClock } from '../../system/clock.ts';
import type { ResolvedModel } from '../providers/provider.ts';
import { replyChooser } from './chooseReply.ts';
import { scriptedModel } from './scriptedModel.ts';

/** The model of `scripted:FILE`, or a message with the place of the error in the file. */
export function loadScript(file: string, clock: Clock = systemClock): ResolvedModel {
  const bad = (message: string): ResolvedModel => ({ type: 'unknown', message: `the script ${message}` });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return bad(`${file} cannot be read (${reason}); check the path after scripted:`);
  }
  const json = parseJson(text);
  if (json.type === 'broken') return bad(`${file}:${json.line}:${json.column} is not JSON: ${json.message}`);
  const script = scriptSchema.safeParse(json.value);
  if (!script.success) {
    const [issue] = script.error.issues;
    const path: JsonPath = issue?.path.map((step) => (typeof step === 'number' ? step : String(step))) ?? [];
    const place = locateJsonPath(text, path);
    const where = place ? `${file}:${place.line}:${place.column}` : file;
    return bad(`${where} is not valid at ${formatJsonPath(path) || 'its top'}: ${issue?.message}`);
  }
  const { model: { name: modelName, ...limits } = {}, replies } = script.data;
  const choose = replyChooser(replies);
  const options = { id: `scripted:${file}`, scriptName: basename(file), modelName, ...limits, choose, clock };
  return { type: 'ok', model: scriptedModel(options) };
}
