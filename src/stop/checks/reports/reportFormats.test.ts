import { describe, expect, it } from 'vitest';
import { REPORT_FORMATS } from './readReport.ts';

const { junit, tap, json } = REPORT_FORMATS;

describe('junit', () => {
  it('names the tests that failed or could not run, and no other', () => {
    const report = `<?xml version="1.0"?><testsuites><testsuite name="s" tests="4">
      <testcase classname="t.One" name="adds &lt;1&gt;" time="0.1"><failure message="a > b">no</failure></testcase>
      <testcase classname="t.One" name="passes"/>
      <testcase name='says "x > y"'><error/></testcase>
      <testcase name="skipped"><skipped/></testcase>
      <testcase name="prints"><system-out><![CDATA[<testcase name="fake"><failure/></testcase>]]></system-out></testcase>
    </testsuite></testsuites>`;
    expect(junit(report)).toEqual(['t.One > adds <1>', 'says "x > y"']);
  });

  it('does not read a report that broke off, and counts errors of a suite', () => {
    expect(junit('<testsuite><testcase name="a"/><testcase name="b"><fail')).toBeNull();
    expect(junit('<testsuite><testcase name="a"><failure/></testcase>')).toBeNull();
    expect(junit('<testsuite><testcase name="a"><x:failure/></testcase></testsuite>')).toEqual(['a']);
    expect(junit('<testsuite><error/><testcase name="a"/></testsuite>')).toEqual(['an error outside of any test']);
    expect(junit('<testsuite></testsuite>')).toEqual([]);
    expect(junit('Segmentation fault')).toBeNull();
    expect(junit('')).toBeNull();
  });
});

describe('tap', () => {
  it('does not read a run that broke off, and excuses only what is marked so', () => {
    expect(tap('1..3\nok 1 - a\n')).toBeNull();
    expect(tap('1..1\nnot ok 1 - c # TODOx\n')).toEqual(['c']);
    expect(tap('1..1\nnot ok 1 - c # TODO later\n')).toEqual([]);
  });

  it('names failing tests with the subtests they are in', () => {
    const report = [
      'TAP version 13',
      '# Subtest: math',
      '    # Subtest: adds',
      '    not ok 1 - adds',
      '      ---',
      '      duration_ms: 1.2',
      '      ...',
      '    ok 2 - subtracts',
      '    1..2',
      'not ok 1 - math # a directive of its own',
      'ok 2 - text',
      'not ok 3 - later # TODO not yet',
      'not ok 4 # SKIP',
      '1..4',
    ].join('\n');
    expect(tap(report)).toEqual(['math > adds', 'math']);
  });

  it('counts a bail-out, and rejects other text', () => {
    expect(tap('ok 1 - a\nBail out! no database')).toEqual(['Bail out! no database']);
    expect(tap('Segmentation fault')).toBeNull();
  });
});

describe('json', () => {
  it.each([
    [
      'Jest and Vitest',
      {
        testResults: [
          {
            name: '/p/a.test.js',
            status: 'failed',
            assertionResults: [
              { fullName: 'a b', status: 'failed' },
              { fullName: 'c', status: 'passed' },
            ],
          },
        ],
      },
      ['a b'],
    ],
    [
      'a file that cannot be loaded',
      { testResults: [{ name: '/p/a.test.js', status: 'failed', assertionResults: [] }] },
      ['the file a.test.js'],
    ],
    ['Mocha', { stats: {}, failures: [{ fullTitle: 'a b', err: {} }] }, ['a b']],
    ['a script', { failures: ['x', 'y'] }, ['x', 'y']],
    ['something else', { ok: false }, null],
  ])('reads %s', (_what, report, names) => {
    expect(json(JSON.stringify(report))).toEqual(names);
    expect(json(`> npm test\n\n${JSON.stringify(report, null, 2)}`)).toEqual(names);
  });

  it('rejects other text', () => {
    expect(json('Segmentation fault')).toBeNull();
  });
});
