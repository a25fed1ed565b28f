import { describe, expect, it } from 'vitest';
import { readLoopbackUri } from '../../../src/base/loopbackUri.ts';

describe('readLoopbackUri', () => {
  it.each<[string, ReturnType<typeof readLoopbackUri>]>([
    ['http://localhost:3118', { host: 'localhost', port: 3118, path: '' }],
    ['http://localhost:80/cb', { host: 'localhost', port: 80, path: '/cb' }],
    ['http://[::1]/a/../b', { host: '[::1]', port: undefined, path: '/a/../b' }],
    ['http://127.0.0.1/', { host: '127.0.0.1', port: undefined, path: '/' }],
    ['http://localhost//evil.example/cb', undefined],
    ['http://localhost:99999/cb', undefined],
    ['http://localhost.evil.example/cb', undefined],
    ['http://localhost@evil.example/cb', undefined],
    ['http://localhost/cb?x=1', undefined],
    ['https://localhost/cb', undefined],
  ])('%s: %j', (text, expected) => {
    expect(readLoopbackUri(text)).toEqual(expected);
  });
});
