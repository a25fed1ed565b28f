import type { ContentBlock } from '../../protocol/mcp/content.ts';
import { playChime } from '../chime.ts';
import { printLeaflet } from '../leaflet.ts';
import { drawLogo } from '../logo.ts';
import { readmeSize } from '../resourceCatalog.ts';
import type { Session } from '../session.ts';
import { type DemoTool, textBlock } from './tool.ts';

/** Shows each kind of content that exists in the negotiated revision. */
export function createShowEverythingTool(session: Session): DemoTool {
  return {
    definition: {
      name: 'show_everything',
      title: 'Show Everything',
      description: 'Answers with every kind of content, and with all that a server can say of it.',
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    run() {
      const content: ContentBlock[] = [
        textBlock('**Every kind of content** follows: an image, a sound, a link and three embedded resources.'),
        {
          ...textBlock('Tell the person that the picture is a patch bay.'),
          annotations: { audience: ['assistant'], priority: 0.2, lastModified: '2026-07-28T09:00:00Z' },
        },
        {
          type: 'image',
          data: drawLogo(96),
          mimeType: 'image/png',
          annotations: { audience: ['user'], priority: 0.9 },
        },
      ];
      if (session.isAtLeast('2025-03-26')) content.push({ type: 'audio', data: playChime(), mimeType: 'audio/wav' });
      if (session.isAtLeast('2025-06-18')) content.push(linkToReadme());
      content.push(embeddedText(), embeddedBlob(), embeddedLeaflet());
      return { content, _meta: { 'patchbay.demo/drawnBy': 'the demo server itself' } };
    },
  };
}

function linkToReadme(): ContentBlock {
  return {
    type: 'resource_link',
    uri: 'demo://readme',
    name: 'readme',
    title: 'Read Me',
    description: 'What this server offers.',
    mimeType: 'text/markdown',
    size: readmeSize(),
    icons: [{ src: `data:image/png;base64,${drawLogo(32)}`, mimeType: 'image/png', sizes: ['32x32'] }],
    annotations: { audience: ['user'], priority: 1 },
  };
}

function embeddedLeaflet(): ContentBlock {
  const uri = 'demo://embedded/leaflet.pdf';
  return { type: 'resource', resource: { uri, mimeType: 'application/pdf', blob: printLeaflet() } };
}

function embeddedText(): ContentBlock {
  const text = '{\n  "greeting": "Hello from an embedded resource"\n}\n';
  return { type: 'resource', resource: { uri: 'demo://embedded/data.json', mimeType: 'application/json', text } };
}

function embeddedBlob(): ContentBlock {
  return { type: 'resource', resource: { uri: 'demo://embedded/logo.png', mimeType: 'image/png', blob: drawLogo(48) } };
}
