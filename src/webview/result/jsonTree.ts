import { element } from '../dom.ts';
import { exactText } from '../exactText.ts';

/** Members shown of one object or list; a page with a million lines helps nobody. */
const maximumMembers = 500;

/** JSON to unfold, each level made when it is opened; text that is no JSON stays as it is. */
export function jsonTree(json: string): HTMLElement {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Cut in the middle, or never JSON: still worth reading.
    return exactText(json, 'exact code');
  }
  return element('div', { class: 'json-tree' }, node(undefined, value, 0));
}

function node(key: string | undefined, value: unknown, depth: number): HTMLElement {
  const name = key === undefined ? [] : [exactText(key, 'exact inline json-key'), ': '];
  if (typeof value !== 'object' || value === null) {
    return element(
      'div',
      { class: 'json-leaf' },
      ...name,
      exactText(JSON.stringify(value), `exact inline json-${typeof value}`),
    );
  }
  const members = Object.entries(value);
  const size = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  if (members.length === 0) return element('div', { class: 'json-leaf' }, ...name, Array.isArray(value) ? '[]' : '{}');
  const branch = element(
    'details',
    { class: 'json-branch' },
    element('summary', {}, ...name, element('span', { class: 'muted', text: size })),
  );
  let isFilled = false;
  const fill = (): void => {
    if (isFilled || !branch.open) return;
    isFilled = true;
    for (const [member, content] of members.slice(0, maximumMembers)) branch.append(node(member, content, depth + 1));
    const left = members.length - maximumMembers;
    if (left > 0) branch.append(element('div', { class: 'json-leaf muted', text: `${left} more, not shown` }));
  };
  branch.addEventListener('toggle', fill);
  branch.open = depth < 2;
  fill();
  return branch;
}
