import { omittedMembersText, type JsonPreview } from '../../base/jsonPreview.ts';
import { button, element, exactText, formatNumber } from '../dom.ts';

/** Members of one object or list that are drawn in one step. */
const membersPerStep = 500;

/**
 * JSON as a tree. A level is drawn when it is first opened, and long levels are drawn in steps.
 * @param open the number of levels that are open at first
 */
export function jsonTree(json: JsonPreview, open = 2): HTMLElement {
  return element('div', { class: 'json-tree' }, treeNode([], json, open));
}

/** @param open the number of levels from here on that are open at first */
function treeNode(name: readonly (Node | string)[], json: JsonPreview, open: number): HTMLElement {
  if (json.kind === 'leaf') {
    const left = json.left === 0 ? [] : [muted('span', `… ${formatNumber(json.left)} more characters`)];
    return element(
      'div',
      { class: 'json-leaf' },
      ...name,
      exactText(json.text, `exact inline json-${json.type}`),
      ...left,
    );
  }
  const isList = json.kind === 'array';
  if (json.size === 0) return element('div', { class: 'json-leaf' }, ...name, isList ? '[]' : '{}');
  const size = formatNumber(json.size);
  const branch = element(
    'details',
    { class: 'json-branch' },
    element('summary', {}, ...name, muted('span', isList ? `[${size}]` : `{${size}}`)),
  );
  let isFilled = false;
  const fill = (): void => {
    if (isFilled || !branch.open) return;
    isFilled = true;
    addMembers(branch, json, 0, open - 1);
  };
  branch.addEventListener('toggle', fill);
  branch.open = open > 0;
  fill();
  return branch;
}

function addMembers(
  branch: HTMLElement,
  json: Exclude<JsonPreview, { kind: 'leaf' }>,
  from: number,
  open: number,
): void {
  const { members, size } = json;
  const end = Math.min(members.length, from + membersPerStep);
  for (const [index, { name, value }] of members.slice(from, end).entries())
    branch.append(treeNode([exactText(name ?? String(from + index), 'exact inline json-key'), ': '], value, open));
  if (end < members.length) {
    const more = button({
      label: `Show ${formatNumber(Math.min(membersPerStep, members.length - end))} More`,
      kind: 'quiet',
      onClick() {
        addMembers(branch, json, end, open);
        more.remove();
        // The new members replace the button: move the focus to the first of them.
        const next = branch.children[end + 1]?.querySelector('summary') ?? branch.querySelector('summary');
        next?.focus();
      },
    });
    branch.append(more);
  } else if (members.length < size)
    branch.append(muted('div', omittedMembersText(size - members.length, members.length === 0)));
}

function muted(tag: 'div' | 'span', text: string): HTMLElement {
  return element(tag, { class: tag === 'div' ? 'json-leaf muted' : 'muted', text });
}
