import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { trustStore } from '../../../session/trust/trustStore.ts';
import { wallNow } from '../../../system/clock.ts';
import { SIGNAL_EXIT } from '../../../system/interrupts.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld, type World } from '../../../system/world.ts';
import { drained, processWriter, type Writer } from '../../../system/writer.ts';
import { pageFor } from '../../output/page.ts';
import { hookJson } from '../hooks/hookLines.ts';
import { askToTrust } from './askToTrust.ts';
import { listTrusted } from './listTrusted.ts';
import { type TrustEffects, trustEffects } from './trustEffects.ts';
import { effectsText } from './trustText.ts';

export interface TrustOptions {
  readonly yes?: boolean;
  readonly list?: boolean;
  readonly remove?: boolean;
  readonly json?: boolean;
}

/** `stopgate trust`: whose own settings may count, for good. */
export async function runTrust(folder: string | undefined, options: TrustOptions): Promise<number> {
  if (options.list && (options.remove || options.yes || folder !== undefined)) {
    throw new UserError('--list shows all trusted folders; give it alone or with --json.');
  }
  const world = thisWorld();
  const writer = processWriter(() => {});
  const wanted = path.resolve(world.cwd, folder ?? '.');
  const code = options.list
    ? await listTrusted(writer, world, options.json === true)
    : await (options.remove ? removeTrust(wanted, writer, world, options) : addTrust(wanted, writer, world, options));
  await drained();
  return code;
}

async function removeTrust(wanted: string, writer: Writer, world: World, { json }: TrustOptions): Promise<number> {
  // a folder that is gone can still be taken off the list
  const folder = await realpath(wanted).catch(() => wanted);
  const removed = await trustStore(world.stopgateHome).forget(folder);
  if (json) writer.out(`${JSON.stringify({ folder, removed })}\n`);
  else writer.out(removed ? `${folder} is no longer trusted.\n` : `${folder} was not trusted; nothing changed.\n`);
  return 0;
}

async function addTrust(wanted: string, writer: Writer, world: World, options: TrustOptions): Promise<number> {
  const folder = await realFolder(wanted);
  const store = trustStore(world.stopgateHome);
  const already = await store.isTrusted(folder);
  const effects = await trustEffects({ ...world, cwd: folder });
  if (!options.json) writer.out(`${effectsText(folder, effects, pageFor(writer, { ...world, cwd: folder }))}\n\n`);
  if (!already) {
    const refused = await whyRefused(options, folder);
    if (refused !== null) {
      writer.out('Not trusted; nothing changed.\n');
      return refused;
    }
    await store.trust(folder, new Date(wallNow(world.clock)));
  }
  if (options.json) writer.out(`${JSON.stringify(trustJson(folder, already, effects))}\n`);
  else writer.out(already ? 'It is trusted already.\n' : `Trusted. It is recorded in ${world.stopgateHome}/trust.\n`);
  return 0;
}

async function realFolder(wanted: string): Promise<string> {
  const facts = await stat(wanted).catch(() => undefined);
  if (facts?.isDirectory()) return realpath(wanted);
  throw new UserError(`${wanted} is ${facts ? 'not a folder' : 'not there'}; name the folder to trust.`);
}

/** The exit code of a refusal, or null for consent. Nobody can consent to what they cannot see or answer. */
async function whyRefused({ yes, json }: TrustOptions, folder: string): Promise<number | null> {
  if (yes) return null;
  if (json || !process.stdin.isTTY || !process.stdout.isTTY) {
    await drained();
    throw new UserError(
      `${folder} is not trusted: there is no terminal to ask at; look at what it switches on, then pass --yes.`,
    );
  }
  const answer = await askToTrust();
  if (answer === 'yes') return null;
  return answer === 'no' ? 1 : (SIGNAL_EXIT.SIGINT ?? 1);
}

function trustJson(folder: string, already: boolean, effects: TrustEffects) {
  const hooks = effects.hooks.map(({ hook, stillNot }) => ({ ...hookJson(hook), stillNot }));
  return { folder, trusted: true, already, switchesOn: { ...effects, hooks } };
}
