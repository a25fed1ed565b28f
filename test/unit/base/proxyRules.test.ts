import { describe, expect, it } from 'vitest';
import { environmentProxy, hasProxy, type ProxyEnvironment } from '../../../src/base/proxyRules.ts';

function proxyFor(url: string, environment: ProxyEnvironment): string | undefined {
  return environmentProxy(new URL(url), environment)?.href;
}

describe('the proxy of the environment', () => {
  it.each<readonly [url: string, environment: ProxyEnvironment, proxy: string | undefined]>([
    ['http://a.example/', {}, undefined],
    ['http://a.example/', { HTTP_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
    ['http://a.example/', { http_proxy: 'http://proxy:3128' }, 'http://proxy:3128/'],
    ['http://a.example/', { HTTP_PROXY: 'http://upper:1', http_proxy: 'http://lower:1' }, 'http://lower:1/'],
    ['http://a.example/', { HTTPS_PROXY: 'http://proxy:3128' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
    ['https://a.example/', { https_proxy: 'https://proxy' }, 'https://proxy/'],
    ['https://a.example/', { HTTP_PROXY: 'http://proxy:3128' }, undefined],
    ['https://a.example/', { ALL_PROXY: 'http://proxy:3128' }, 'http://proxy:3128/'],
    ['https://a.example/', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128/'],
    ['https://a.example/', { HTTPS_PROXY: ' ' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'socks5://proxy:1080' }, undefined],
    ['https://a.example/', { HTTPS_PROXY: 'http://:80' }, undefined],
  ])('%s with %j is %s', (url, environment, proxy) => {
    expect(proxyFor(url, environment)).toBe(proxy);
  });

  it.each(['http://localhost:8080/', 'http://127.0.0.1/', 'https://127.8.8.8/', 'http://[::1]:1/'])(
    'is not used for this machine: %s',
    (url) => {
      expect(proxyFor(url, { ALL_PROXY: 'http://proxy:3128' })).toBeUndefined();
    },
  );

  it.each<readonly [list: string, url: string, isExempt: boolean]>([
    ['*', 'http://a.example/', true],
    ['b.example, *', 'http://a.example/', true],
    ['a.example', 'http://a.example/', true],
    ['A.Example', 'http://a.example/', true],
    ['b.example a.example', 'http://a.example/', true],
    ['example', 'http://a.example/', true],
    ['.example', 'http://a.example/', true],
    ['*.example', 'http://a.example/', true],
    ['ample', 'http://a.example/', false],
    ['a.example', 'http://b.a.example/', true],
    ['b.a.example', 'http://a.example/', false],
    ['a.example:80', 'http://a.example/', true],
    ['a.example:443', 'https://a.example/', true],
    ['a.example:443', 'http://a.example/', false],
    ['.example:8080', 'http://a.example:8080/', true],
    ['10.0.0.1', 'http://10.0.0.1:8080/', true],
    ['10.0.0.1:80', 'http://10.0.0.1:8080/', false],
    ['[fd00::1]', 'http://[fd00::1]:8080/', true],
    ['fd00::1', 'http://[fd00::1]:8080/', true],
    ['[fd00::1]:8080', 'http://[fd00::1]:8080/', true],
    ['[fd00::1]:80', 'http://[fd00::1]:8080/', false],
    [',. ,:80', 'http://a.example/', false],
  ])('NO_PROXY=%s and %s: %s', (list, url, isExempt) => {
    const environment = { ALL_PROXY: 'http://proxy:3128' };
    const proxy = isExempt ? undefined : 'http://proxy:3128/';
    expect(proxyFor(url, { ...environment, NO_PROXY: list })).toBe(proxy);
    expect(proxyFor(url, { ...environment, no_proxy: list, NO_PROXY: 'other.example' })).toBe(proxy);
  });

  it('is looked for only where a variable sets one', () => {
    expect([{}, { NO_PROXY: '*' }, { http_proxy: '' }].map(hasProxy)).toEqual([false, false, false]);
    expect([{ ALL_PROXY: 'a' }, { https_proxy: 'a' }, { HTTP_PROXY: 'a' }].map(hasProxy)).toEqual([true, true, true]);
  });
});
