import type { ReportFormat } from '../../../schemas/stopgateConfig.ts';
import { jsonFailures } from './json.ts';
import { junitFailures } from './junit.ts';
import { tapFailures } from './tap.ts';

/** The names of the failing tests in a report; null when the text is not such a report. */
export type ReadReport = (text: string) => readonly string[] | null;

export const REPORT_FORMATS: Readonly<Record<ReportFormat, ReadReport>> = {
  junit: junitFailures,
  tap: tapFailures,
  json: jsonFailures,
};
