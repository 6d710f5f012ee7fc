/** The version of all tables from before the first release; they cannot be migrated. */
const BEFORE_RELEASE = 2;

/** The version of a store that has all of these migrations. */
export function versionWith(migrations: readonly string[]): number {
  return BEFORE_RELEASE + migrations.length;
}

/** The migrations that a store of this version lacks; 0 is an empty store. */
export function missingOf(migrations: readonly string[], version: number): readonly string[] {
  return migrations.slice(Math.max(0, version - BEFORE_RELEASE));
}

export type SchemaAge = 'usable' | 'newer' | 'abandoned';

export function ageOf(version: number, known: number): SchemaAge {
  if (version > known) return 'newer';
  return version > 0 && version <= BEFORE_RELEASE ? 'abandoned' : 'usable';
}

/** Why a store of this age cannot be used. */
export function describeAge(age: Exclude<SchemaAge, 'usable'>, store: string, known: number): string {
  return age === 'newer'
    ? `The store ${store} was written by a newer Stopgate; this one knows schema version ${known}. Update Stopgate.`
    : `The store ${store} was created before the first release of Stopgate and can no longer be read; use another one.`;
}
