import { describe, expect, it } from 'vitest';
import { notificationText } from '../../../../src/host/platform/displayText.ts';

describe('notificationText', () => {
  it('makes no link of what a server writes', () => {
    expect(notificationText('[click](command:evil)\nnow')).toBe('[click]\u200b(command:evil) now');
  });
});
