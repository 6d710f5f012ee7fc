import { ownValue } from '../../../system/ownValue.ts';

const OUTSIDE = 'an error outside of any test';
const NOT_MARKUP = /<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs;
/** From `<testcase` to the end of its tag; attributes may contain `>`. */
const OPENING = /^((?:[^>"']|"[^"]*"|'[^']*')*)>/;
const FAILURE = /<(?:\w+:)?(?:failure|error)\b/;
const END = '</testcase>';

/** JUnit's XML, as written by pytest, jest-junit, vitest, Maven, Gradle, go-junit-report, … */
export function junitFailures(text: string): readonly string[] | null {
  // texts of failures may contain anything
  const markup = text.replaceAll(NOT_MARKUP, '');
  if (!/<testsuites?\b/.test(markup)) return null;
  // a report that broke off hides what it did not get to
  if (!/<\/testsuites?\s*>\s*$|<testsuites?\b[^<]*\/>\s*$/.test(markup)) return null;
  const [before = '', ...cases] = markup.split(/<testcase\b/);
  const outside = [before];
  const failing = cases.flatMap((one) => {
    const [tag, attributes = ''] = OPENING.exec(one) ?? [''];
    const isEmpty = attributes.endsWith('/');
    const end = isEmpty ? tag.length : one.indexOf(END);
    outside.push(end < 0 ? '' : one.slice(end));
    // a report that ends within a test was cut off, so the test counts as failing
    return end < 0 || FAILURE.test(one.slice(0, end)) ? [nameIn(attributes)] : [];
  });
  return FAILURE.test(outside.join('')) ? [...failing, OUTSIDE] : failing;
}

function nameIn(attributes: string): string {
  const parts = ['classname', 'name'].map((name) => attributeOf(attributes, name)).filter((part) => part !== '');
  return parts.join(' > ') || 'a test without a name';
}

function attributeOf(attributes: string, name: string): string {
  const [, double, single] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  return unescaped(double ?? single ?? '');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

const unescaped = (text: string) =>
  text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ownValue(ENTITIES, name) ?? '');
