import type { MessageView } from '../shared/content.ts';
import { element, icon } from './dom.ts';

/** The line above a message with its role: user or assistant. */
export function messageHeader(role: MessageView['role']): HTMLElement {
  const [iconName, label] = role === 'user' ? ['account', 'User'] : ['hubot', 'Assistant'];
  return element('div', { class: 'message-role' }, icon(iconName), element('span', { text: label }));
}
