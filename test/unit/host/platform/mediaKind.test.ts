import { expect, it } from 'vitest';
import { mediaKindOf } from '../../../../src/host/platform/fileName.ts';

it.each([
  ['a.png', 'image'],
  ['a.JPG', 'image'],
  ['a.mp3', 'audio'],
  ['a.webm', 'video'],
  ['a.mp4', 'video'],
  ['a.pdf', 'pdf'],
  ['a.svg', undefined],
  ['a.md', undefined],
  ['a.zip', undefined],
  ['png', undefined],
])('takes %s for %s', (name, kind) => {
  expect(mediaKindOf(`/x/${name}`)).toBe(kind);
});
