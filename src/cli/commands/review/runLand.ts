import type { LandingPlace } from '../../../launch/land/landing.ts';
import { repositoryHere } from '../../../launch/land/landingPlace.ts';
import { openPlaces, openRemote, type Places, remoteOf } from '../../../launch/land/remotePlace.ts';
import { IN_LANDING } from '../../../store/review.ts';
import { UserError } from '../../../system/userError.ts';
import { thisWorld } from '../../../system/world.ts';
import { available, type Review } from '../../wiring/store/openedStore.ts';
import { openTaskStore } from '../../wiring/store/openTaskStore.ts';
import type { WaitingWorld } from '../../wiring/store/taskWorld.ts';
import type { CommonOptions, Flags } from '../task/taskOptions.ts';
import { landAndReport, queuesOf } from './landAndReport.ts';

/** `stopgate review land`: everything that was accepted for the branches of this repository, or of remotes. */
export async function runLand(options: CommonOptions & Flags<'into'>, out: WaitingWorld): Promise<number> {
  await using store = await openTaskStore(options.store, out);
  const world = thisWorld();
  const places = openPlaces(store, world);
  const here = await repositoryHere(places.git, world.cwd);
  const listed = available(await store.reviews({ states: IN_LANDING, target: options.into }));
  const queued: (readonly [Review, LandingPlace])[] = [];
  for (const review of listed.reviews) {
    const place = await placeOf(review, here, places);
    if (place !== null) queued.push([review, place]);
  }
  if (queued.length === 0) {
    if (here.type === 'notHere') throw new UserError(here.reason);
    await world.processes.endAll();
    out.print(options.json ? '{"results":[],"problems":[]}\n' : 'Nothing that was accepted waits to be landed here.\n');
    return 0;
  }
  const accepting = { store, world, places, actor: out.actor, options, out };
  return await landAndReport(
    queuesOf(queued.map(([, place]) => place)),
    queued.map(([review]) => review),
    accepting,
  );
}

/** Null for another repository. Outside of any repository, those of remotes count: they can be reached from everywhere. */
async function placeOf(
  { taskId, repository, target }: Review,
  here: Awaited<ReturnType<typeof repositoryHere>>,
  places: Places,
): Promise<LandingPlace | null> {
  if (target === null) return null;
  if (here.type === 'here' && here.repository === repository) return { repository, folder: here.folder, target };
  const asked = available(await places.store.task({ id: taskId }));
  const remote = asked.type === 'found' ? remoteOf(asked.task, places.world) : null;
  if (remote === null || remote.url !== repository) return null;
  const opened = await openRemote(remote, places);
  if ('type' in opened) throw new UserError(opened.reason);
  return here.type === 'here' && !opened.origin.isOwnClone ? null : { ...opened, target };
}
