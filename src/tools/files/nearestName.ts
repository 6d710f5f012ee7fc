import { mistakes } from '../../system/nearestName.ts';

/** The name that was most likely meant, or undefined when none is close. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const stem = withoutExtension(name).toLowerCase();
  const ranked = candidates
    .filter((candidate) => candidate !== name)
    .map((candidate) => ({ candidate, distance: rank(candidate) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(name.length / 4)))
    .sort((a, b) => a.distance - b.distance || a.candidate.localeCompare(b.candidate));
  return ranked[0]?.candidate;

  function rank(candidate: string): number {
    if (withoutExtension(candidate).toLowerCase() === stem) return 0;
    return mistakes(candidate.toLowerCase(), name.toLowerCase());
  }
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}
