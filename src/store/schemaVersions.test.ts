import { describe, expect, it } from 'vitest';
import { ageOf, missingOf, versionWith } from './schemaVersions.ts';

describe('the number of a schema', () => {
  const migrations = ['first', 'second', 'third'];
  const known = versionWith(migrations);
  const cases = [
    { version: 0, age: 'usable', missing: migrations },
    { version: 1, age: 'abandoned', missing: migrations },
    { version: 2, age: 'abandoned', missing: migrations },
    { version: 3, age: 'usable', missing: ['second', 'third'] },
    { version: 4, age: 'usable', missing: ['third'] },
    { version: known, age: 'usable', missing: [] },
    { version: known + 1, age: 'newer', missing: [] },
  ];
  for (const { version, age, missing } of cases) {
    it(`${version} is ${age} and lacks ${missing.length}`, () => {
      expect(ageOf(version, known)).toBe(age);
      expect(missingOf(migrations, version)).toEqual(missing);
    });
  }
});
