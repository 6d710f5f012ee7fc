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
    return editDistance(candidate.toLowerCase(), name.toLowerCase());
  }
}

function withoutExtension(name: string): string {
  return name.replace(/(?<=.)\.[^.]*$/, '');
}

/** Insertions, deletions and replacements from one text to the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
