import * as z from 'zod';
import { jsonValue } from '../../../schemas/jsonValue.ts';

/** Jest and Vitest: `--json`, `--reporter=json`. */
const jest = z.looseObject({
  testResults: z.array(
    z.looseObject({
      name: z.string().optional(),
      status: z.string().optional(),
      assertionResults: z.array(z.looseObject({ fullName: z.string(), status: z.string() })).optional(),
    }),
  ),
});

/** Mocha's `--reporter json`, and the plain form for scripts: `{ "failures": ["name", …] }`. */
const failures = z.looseObject({
  failures: z.array(z.union([z.string(), z.looseObject({ fullTitle: z.string() })])),
});

/** The reports of Jest, Vitest and Mocha, or `{ "failures": ["name of a test", …] }`. */
export function jsonFailures(text: string): readonly string[] | null {
  const value = jsonValue(text.slice(text.search(/^\s*\{/m)));
  const ofJest = jest.safeParse(value);
  if (ofJest.success) return ofJest.data.testResults.flatMap(failuresOfFile);
  const plain = failures.safeParse(value);
  if (!plain.success) return null;
  return plain.data.failures.map((one) => (typeof one === 'string' ? one : one.fullTitle));
}

/** Any other status is a failure, also one that is not known. */
const NOT_FAILING: ReadonlySet<string> = new Set(['passed', 'pending', 'skipped', 'todo', 'disabled', 'focused']);

type JestFile = z.output<typeof jest>['testResults'][number];

function failuresOfFile({ name = '', status, assertionResults = [] }: JestFile): readonly string[] {
  const failing = assertionResults.filter((one) => !NOT_FAILING.has(one.status)).map(({ fullName }) => fullName.trim());
  // a file that could not be loaded has no tests
  return failing.length === 0 && status === 'failed' ? [`the file ${name.split(/[\\/]/).at(-1)}`] : failing;
}
