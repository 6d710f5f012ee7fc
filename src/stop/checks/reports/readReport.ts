import { statSync } from 'node:fs';
import path from 'node:path';
import type { ReportFormat } from '../../../schemas/stopgateConfig.ts';
import { attempt } from '../../../system/attempt.ts';
import { readTextFileSync } from '../../../system/readTextFile.ts';
import type { Check } from '../types.ts';
import { jsonFailures } from './json.ts';
import { junitFailures } from './junit.ts';
import { tapFailures } from './tap.ts';

const LARGEST_REPORT = 16 * 1024 * 1024;

/** The state of a report's file before the check runs; null when there is none. */
export type ReportBefore = string | null;

export const reportBefore = (check: Check): ReportBefore => {
  const file = fileOf(check);
  return file === null ? null : stampOf(file);
};

/** The failing tests by the check's report, or why they are not known; undefined for a check without a report. */
export function testsInReport(
  check: Check,
  before: ReportBefore,
  stdout: string,
): readonly string[] | string | undefined {
  if (check.report === null) return undefined;
  const { format, path: name } = check.report;
  const text = name === null ? stdout : readNew(check, before);
  if (typeof text !== 'string') return `its report ${name} ${text.problem}`;
  const where = name === null ? 'what it printed' : `its report ${name}`;
  return REPORT_FORMATS[format](text) ?? `${where} is not ${format}`;
}

/** A report from an earlier run says nothing about this one. */
function readNew(check: Check, before: ReportBefore): string | { readonly problem: string } {
  const file = fileOf(check) ?? '';
  if (stampOf(file) === before) return { problem: before === null ? 'was not written' : 'is from an earlier run' };
  const read = readTextFileSync(file, LARGEST_REPORT);
  if (read.type !== 'read') return { problem: 'cannot be read' };
  return read.cut ? { problem: 'is larger than 16 MB' } : read.text;
}

const fileOf = ({ report, cwd }: Check): string | null =>
  report === null || report.path === null ? null : path.resolve(cwd, report.path);

function stampOf(file: string): string | null {
  const facts = attempt(() => statSync(file, { bigint: true }), null);
  return facts && `${facts.ino} ${facts.mtimeNs} ${facts.ctimeNs} ${facts.size}`;
}

/** The names of the failing tests in a report; null when the text is not such a report. */
type ReadReport = (text: string) => readonly string[] | null;

export const REPORT_FORMATS: Readonly<Record<ReportFormat, ReadReport>> = {
  junit: junitFailures,
  tap: tapFailures,
  json: jsonFailures,
};
