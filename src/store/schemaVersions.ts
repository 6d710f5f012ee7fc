/** Tables from before the first release have this number, whatever they look like: nothing leads from them to later ones. */
const BEFORE_RELEASE = 2;

/** The number of a store that has all of these migrations. */
export function versionWith(migrations: readonly string[]): number {
  return BEFORE_RELEASE + migrations.length;
}

/** What a store of this number lacks; 0 is one that has nothing yet. */
export function missingOf(migrations: readonly string[], version: number): readonly string[] {
  return migrations.slice(Math.max(0, version - BEFORE_RELEASE));
}

export type SchemaAge = 'usable' | 'newer' | 'abandoned';

export function ageOf(version: number, known: number): SchemaAge {
  if (version > known) return 'newer';
  return version > 0 && version <= BEFORE_RELEASE ? 'abandoned' : 'usable';
}

/** Why a store of that age cannot be used. */
export function wordsOfAge(age: Exclude<SchemaAge, 'usable'>, store: string, known: number): string {
  return age === 'newer'
    ? `The store ${store} was written by a newer Stopgate than this one, which knows version ${known}; update it.`
    : `The store ${store} was made before the first release of Stopgate and cannot be read any more; use another one.`;
}
