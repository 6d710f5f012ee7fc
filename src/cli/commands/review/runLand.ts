import type { LandingPlace } from '../../../launch/land/landing.ts';
import { repositoryHere } from '../../../launch/land/landingPlace.ts';
import { worldGit } from '../../../stop/worldGit.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { available } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { landAndReport, queuesOf } from './landAndReport.ts';

type LandOptions = CommonOptions & Flags<'into'>;

/** `stopgate review land`: everything that was accepted for the branches of this repository. */
export async function runLand(options: LandOptions, out: WaitingWorld): Promise<number> {
  await using store = await openTaskStore(options.store, out);
  const world = thisWorld();
  const git = worldGit(world);
  const here = await repositoryHere(git, world.cwd);
  if (here.type === 'notHere') throw new UserError(here.reason);
  const { repository, folder } = here;
  const { reviews } = available(
    await store.reviews({ states: ['accepted', 'landing'], repository, target: options.into }),
  );
  const places: LandingPlace[] = reviews.flatMap(({ target }) =>
    target === null ? [] : [{ repository, folder, target }],
  );
  if (places.length === 0) {
    await world.processes.endAll();
    out.print(options.json ? '{"results":[],"problems":[]}\n' : 'Nothing that was accepted waits to be landed here.\n');
    return 0;
  }
  const accepting = { store, world, git, actor: out.env.USER || 'command line', options, out };
  return await landAndReport(queuesOf(places), reviews, accepting);
}
