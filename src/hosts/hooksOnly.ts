import { type Demand, demandOf } from '../stop/checks/demand.ts';
import type { Payload } from '../stop/payload.ts';
import { workerIdentity } from '../stop/worker/workerIdentity.ts';
import type { GateWorld } from '../stop/world.ts';
import { MARKS } from '../system/marks.ts';
import type { StartableAgent } from './host.ts';
import { speakPortably } from './speech.ts';

export const hasFields = (payload: Payload, ...names: readonly string[]): boolean =>
  names.every((name) => payload[name] !== undefined);

/** What the user wants from a session, by what started it: for hosts that show nothing more. */
const demandByStart = async (_payload: unknown, { env }: Pick<GateWorld, 'env'>): Promise<Demand> =>
  demandOf({
    requireProof: false,
    launched: Boolean(env[MARKS.launch]),
    worker: workerIdentity(env) !== null,
    headless: false,
    mayEdit: null,
  });

/** A program by its name, or a script of its package after an interpreter. */
export const runsProgram =
  (name: string, inPackage?: string) =>
  (words: readonly string[]): boolean =>
    words.slice(0, 3).some((word, at) => {
      const isNamed = word.slice(word.lastIndexOf('/') + 1) === name && (at === 0 || word.includes('/'));
      return isNamed || (inPackage !== undefined && word.includes(`/${inPackage}/`));
    });

/** An agent that runs our hooks and has nothing to do without a prompt. */
export const hookedAgent = (flag: string, load: StartableAgent['load']): StartableAgent => ({
  flag,
  runsHooks: true,
  needsPrompt: true,
  load,
});

/** For the row of a host that only runs our hooks. */
export const HOOKS_ONLY = { speak: speakPortably, demand: demandByStart };
