import { ownValue } from '../../../../system/ownValue.ts';

/**
 * `stopgate task claim|complete|fail|release` without commander, Zod and the hook engine: these run in every turn of a
 * shell's or an agent's loop, in a process of their own. What this file does not know (help, a flag that is wrong, another
 * kind of store, a completion that hooks may have a say in) is left to the full command, which has the words for it.
 */

import { UserError } from '../../../../system/userError.ts';
import { agentHere } from '../../../wiring/standing/agentHere.ts';
import { StoreUnavailableError } from '../../../wiring/store/openedStore.ts';
import { chooseStorePlace } from '../../../wiring/store/storePlace.ts';
import { type TaskWorld, thisTaskWorld } from '../../../wiring/store/taskWorld.ts';
import { type ClaimOptions, runClaim } from '../claim/runClaim.ts';
import { mayHaveTaskHooks } from '../settle/mayHaveHooks.ts';
import {
  type CompleteOptions,
  type FailOptions,
  type ReleaseOptions,
  runComplete,
  runFail,
  runRelease,
} from '../settle/runSettle.ts';
import { CLAIM_FLAGS, COMPLETE_FLAGS, FAIL_FLAGS, RELEASE_FLAGS, type TaskFlag } from '../taskOptions.ts';
import { parseQuick, type QuickArguments } from './parseQuick.ts';

interface QuickCommand {
  readonly flags: readonly TaskFlag[];
  readonly mostWords: number;
  /** Undefined: for the full command. */
  run(args: QuickArguments, world: TaskWorld): Promise<number | undefined>;
}

const COMMANDS: Readonly<Record<string, QuickCommand>> = {
  claim: {
    flags: CLAIM_FLAGS,
    mostWords: 0,
    // waiting needs to hear of signals
    run: async ({ flags }, world) =>
      flags.wait === undefined ? runClaim(flags as ClaimOptions, world, new AbortController().signal) : undefined,
  },
  complete: {
    flags: COMPLETE_FLAGS,
    mostWords: 1,
    run: async ({ words, flags }, world) => {
      const options = flags as CompleteOptions;
      // of an agent the definition of done is asked first
      if (agentHere(options.store, world) !== null || (await mayHaveTaskHooks(world))) return undefined;
      return runComplete(words[0], options, { world });
    },
  },
  fail: {
    flags: FAIL_FLAGS,
    mostWords: 1,
    run: ({ words, flags }, world) => runFail(words[0], flags as FailOptions, world),
  },
  release: {
    flags: RELEASE_FLAGS,
    mostWords: 1,
    run: ({ words, flags }, world) => runRelease(words[0], flags as ReleaseOptions, world),
  },
};

async function main(argv: readonly string[]): Promise<number | undefined> {
  const command = ownValue(COMMANDS, argv[3]);
  const args = command && parseQuick(argv.slice(4), command.flags);
  if (!command || !args || args.words.length > command.mostWords) return undefined;
  const world: TaskWorld = { ...thisTaskWorld(), endsWithCommand: true };
  if (chooseStorePlace({ flag: args.flags.store as string | undefined, ...world }).type !== 'sqlite') return undefined;
  try {
    return await command.run(args, world);
  } catch (error) {
    if (!(error instanceof UserError || error instanceof StoreUnavailableError)) throw error;
    world.warn(error.message);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

main(process.argv).then(
  (code) => {
    if (code === undefined) void import('../../../main.ts');
    // at once: everything was written before this
    else process.exit(code);
  },
  // never the full command here: it would do again what may have been done
  (error: unknown) => {
    process.stderr.write(`stopgate: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 70;
  },
);
