import type { AppCallView } from '../../shared/appMessages.ts';
import { element, exactText } from '../dom.ts';

/** The call of an app in words, folded: what the server said, beside what its app makes of it. */
export function createCallSection() {
  const line = element('span', { class: 'call-line' });
  const body = element('div', { class: 'call-body' });
  const details = element(
    'details',
    { class: 'call', hidden: true },
    element('summary', {}, 'Result in words ', line),
    body,
  );
  let shown = '';
  return {
    element: details,
    /** @param call `undefined` shows nothing */
    show(call: AppCallView | undefined): void {
      details.hidden = call === undefined;
      const text = JSON.stringify(call);
      if (call === undefined || text === shown) return;
      shown = text;
      const { args, result } = call;
      line.replaceChildren(exactText(args, 'exact inline'));
      body.replaceChildren(
        element('h2', { text: 'Arguments' }),
        exactText(args, 'exact code'),
        element('h2', { text: 'Result' }),
        result === undefined
          ? element('p', { class: 'muted', text: 'The call is running.' })
          : exactText(result, 'exact code'),
      );
    },
  };
}
