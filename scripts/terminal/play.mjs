import { cleaned } from './clean.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { openStage } from './stage.mjs';

/** The screens of one scenario, by section. */
export async function playScenario(name, program) {
  const { options, play } = SCENARIOS[name];
  await using stage = await openStage(program, options());
  const pick = (ours, theirs) => (program.key === 'stopgate' ? ours : theirs);
  const screens = {};
  for await (const [section, lines] of play(stage, pick)) screens[section] = cleaned(lines, stage.folder);
  return screens;
}

export async function playAll(program) {
  const screens = {};
  for (const name of Object.keys(SCENARIOS)) Object.assign(screens, await playScenario(name, program));
  return screens;
}
