import { backgroundLimits } from '../../background/governor/limits.ts';
import { decideSwitches, recallsMemory, type SwitchFacts } from '../../background/governor/switches.ts';
import { memoryFolder } from '../../background/memory/memoryFolder.ts';
import { recallMemory } from '../../background/memory/recallMemory.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { wallNow } from '../../system/clock.ts';
import type { World } from '../../system/world.ts';
import type { PromptFlags } from './promptFlags.ts';
import { type SessionPlace, sessionFolder } from './sessionPlaces.ts';

/** Work after a turn, its limits, and facts from earlier sessions: empty when there are none or memory is off. */
export async function gatherBackground(
  { bare }: Pick<PromptFlags, 'bare'>,
  world: World,
  place: SessionPlace & { readonly settings: LoadedSettings; readonly interactive: boolean },
) {
  const facts = { ...switchFacts(place.settings, world, bare), interactive: place.interactive };
  const { limits, warnings } = backgroundLimits(facts.env);
  const background = { switches: decideSwitches(facts), limits, memory: '', warnings };
  if (!recallsMemory(facts)) return background;
  try {
    const memoryDir = memoryFolder(place.sessionsDir);
    const memory = await recallMemory(memoryDir, sessionFolder(place), wallNow(world.clock));
    return { ...background, memory };
  } catch (error) {
    return { ...background, warnings: [...warnings, `Memory cannot be read: ${(error as Error).message}.`] };
  }
}

export function switchFacts({ merged }: LoadedSettings, world: World, bare: boolean): SwitchFacts {
  const env = { ...world.env, ...merged.env };
  return { env, memorySetting: merged.other.memory, interactive: false, bare };
}
