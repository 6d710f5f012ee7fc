import path from 'node:path';
import { type BackgroundLimits, backgroundLimits } from '../../background/governor/limits.ts';
import { decideSwitches, recallsMemory, type Switches, type SwitchFacts } from '../../background/governor/switches.ts';
import { memoryFolder } from '../../background/memory/memoryFolder.ts';
import { recallMemory } from '../../background/memory/recallMemory.ts';
import type { LoadedSettings } from '../../session/settings/types.ts';
import { wallNow } from '../../system/clock.ts';
import type { World } from '../../system/world.ts';

/** Work after a turn, its limits, and facts from earlier sessions. */
export interface GatheredBackground {
  readonly switches: Switches;
  readonly limits: BackgroundLimits;
  /** Facts from earlier sessions, marked as recalled; empty when there are none or memory is off. */
  readonly memory: string;
  readonly warnings: readonly string[];
}

export interface BackgroundPlace {
  readonly settings: LoadedSettings;
  readonly world: World;
  readonly bare: boolean;
  readonly sessionsDir: string;
  readonly sessionId: string;
}

export async function gatherBackground(place: BackgroundPlace): Promise<GatheredBackground> {
  const { settings, world, sessionsDir, sessionId } = place;
  const facts = switchFacts(settings, world, place.bare);
  const { limits, warnings } = backgroundLimits(facts.env);
  const recalled = recallsMemory(facts)
    ? recallMemory({
        memoryDir: memoryFolder(sessionsDir),
        sessionFolder: path.join(sessionsDir, sessionId),
        now: wallNow(world.clock),
      })
    : '';
  const problems = [...warnings];
  const memory = await Promise.resolve(recalled).catch((error: Error) => {
    problems.push(`Memory cannot be read: ${error.message}.`);
    return '';
  });
  return { switches: decideSwitches(facts), limits, memory, warnings: problems };
}

export function switchFacts({ merged }: LoadedSettings, world: World, bare: boolean): SwitchFacts {
  const env = { ...world.env, ...merged.env };
  return { env, memorySetting: merged.other.memory, interactive: false, bare };
}
