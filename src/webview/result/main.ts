import type { ResultFromPanel, ResultToPanel, ResultView } from '../../shared/resultMessages.ts';
import { type Child, descriptionText, element, fill, formatBytes, formatDuration, inlineText } from '../dom.ts';
import { connectToExtension } from '../extensionConnection.ts';
import { ResultArea } from './resultArea.ts';

const header = element('header', { class: 'page-header' });
const host = connectToExtension<ResultFromPanel>(({ type, view, textStyle, isUpdate }: ResultToPanel) => {
  if (type !== 'show') return;
  fill(header, headerElements(view));
  area.show(view, textStyle);
  if (isUpdate !== true) window.scrollTo(0, 0);
});
const area = new ResultArea((message) => host.send(message));
document.body.append(header, element('main', {}, area.element));
host.send({ type: 'ready' });

function headerElements({ title, server, description = '', durationMs, size }: ResultView): Child {
  // " · took 1.2 s · 3.4 kB"
  const facts = [
    durationMs !== undefined && ` · took ${formatDuration(durationMs)}`,
    size !== undefined && ` · ${formatBytes(size)}`,
  ];
  return [
    element('div', { class: 'title-row' }, element('h1', {}, inlineText(title))),
    element('p', { class: 'lead' }, 'From ', inlineText(server, 'strong'), facts),
    description !== '' && descriptionText(description),
  ];
}
