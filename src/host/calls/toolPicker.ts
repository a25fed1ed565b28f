import { toolDisplayName } from '../../protocol/mcp/displayName.ts';
import type { Tool } from '../../protocol/mcp/tools.ts';
import { type ContentPicker, createContentPicker, type FeatureContext } from '../invocation/contentPicker.ts';

/**
 * Lets a person choose a tool of any server.
 * @param shown what the list says, and where it remembers the tools that were used
 */
export function createToolPicker(
  context: FeatureContext,
  shown: { readonly placeholder: string; readonly icon: 'tools' | 'window'; readonly storageKey: string },
  isOffered: (tool: Tool) => boolean = () => true,
): ContentPicker<Tool> {
  const { icon, ...texts } = shown;
  return createContentPicker({
    ...context,
    ...texts,
    noun: 'tools',
    itemsOf: ({ tools }) =>
      tools
        .filter(isOffered)
        .map((item) => ({ item, icon, label: toolDisplayName(item), name: item.name, about: item.description })),
  });
}
