import { describe, expect, it } from 'vitest';
import { urlMatches } from './urlMatches.ts';

describe('allowedHttpHookUrls', () => {
  it.each<[string, string]>([
    ['https://a.example/x', 'https://a.example/*'],
    ['https://a.example/x', 'https://*.example/x'],
    ['https://a.b.example/x', 'https://*.example/x'],
    ['https://A.Example/x', 'https://a.example/x'],
    ['https://a.example/x', 'HTTPS://A.EXAMPLE/x'],
    ['https://a.example:443/x', 'https://a.example/x'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/x?y=1', 'https://a.example*'],
    ['https://a.example/x?y=1', 'https://a.example/x*'],
    ['http://127.0.0.1:8080/ok/stop', 'http://127.0.0.1:8080/ok*'],
    ['http://127.0.0.1:8080/ok', 'http://127.0.0.1:*'],
    ['http://127.0.0.1:8080/ok', 'http://127.0.0.1:8080*'],
    ['http://127.1/ok', 'http://127.0.0.1/ok'],
    ['http://[::1]:80/ok', 'http://[::1]/ok'],
    ['https://api-1.a.example/', 'https://api-*.a.example/'],
    ['https://any.example/x', '*'],
    ['https://any.example/x', 'https://*'],
    ['http://any.example/x', '*://any.example/*'],
    ['https://a.example/x/./y/../z', 'https://a.example/x/z'],
  ])('lets %s through by %s', (url, pattern) => expect(urlMatches(url, pattern)).toBe(true));

  it.each<[string, string]>([
    ['https://a.example/x', 'https://a.example/'],
    ['https://aXexample/', 'https://a.example/'],
    ['https://evil/?https://a.example/', 'https://a.example/*'],
    ['https://good.example@evil.com/', 'https://good.example*'],
    ['https://good.example@evil.com/', '*'],
    ['https://user:secret@good.example/x', 'https://good.example/*'],
    ['https://good.example.evil.com/', 'https://good.example*'],
    ['https://good.example.evil.com/', 'https://good.example*/*'],
    ['https://evil.com/good.example', 'https://*good.example'],
    ['https://evil.com/.good.example/', 'https://*.good.example/*'],
    ['https://evil.com#.good.example/', 'https://*.good.example/*'],
    ['https://evil.com?.good.example/', 'https://*.good.example/*'],
    ['https://evil.com\\.good.example/', 'https://*.good.example/*'],
    ['https://evilgood.example/', 'https://*.good.example/*'],
    ['https://good.example/', 'https://*.good.example/*'],
    ['https://good.example:8443/x', 'https://good.example/*'],
    ['https://good.example:8443/x', 'https://good.example*'],
    ['http://127.0.0.1:80801/x', 'http://127.0.0.1:8080*'],
    ['http://127.0.0.1:18080/x', 'http://127.0.0.1:8080*'],
    ['http://good.example/x', 'https://good.example/*'],
    ['https://good.example/a/../secret', 'https://good.example/a/*'],
    ['https://good.example/a/%2e%2e/secret', 'https://good.example/a/*'],
    ['https://good.example/a/..%2fsecret', 'https://good.example/a/*'],
    ['https://good.example/a/..%252fsecret', 'https://good.example/a/*'],
    ['https://good.example/a/..\\secret', 'https://good.example/a/*'],
    ['not a url', '*'],
    ['https://good.example/', 'good.example'],
    ['https://evil.com/', 'https://good.example@evil.com/'],
  ])('keeps %s out with %s', (url, pattern) => expect(urlMatches(url, pattern)).toBe(false));

  it('is quick with many stars', () => {
    const startedAt = performance.now();
    urlMatches(`https://a.example/${'a'.repeat(2_000)}`, `https://a.example/${'*a'.repeat(10)}b`);
    urlMatches(`https://a.example/${'a'.repeat(2_000)}`, `https://a.example/${'*'.repeat(5_000)}b`);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
