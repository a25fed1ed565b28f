import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { type PanelName, panelStyles, renderWebviewHtml } from '../../src/host/platform/webviewHtml.ts';
import { listen } from '../fixtures/listen.ts';

const repository = resolve(import.meta.dirname, '../..');
const codicons = join(repository, 'node_modules/@vscode/codicons/dist');
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ttf': 'font/ttf',
};

/** The panels, by the name of their folder in src/webview, and a page with a form alone. */
export type PageName = PanelName | 'form';

const styles: Readonly<Record<PageName, readonly string[]>> = { ...panelStyles, form: ['form'] };
const pageNames = Object.keys(styles) as readonly PageName[];

/** The panels, built from source and served with the HTML and the content security policy that they have in VS Code. */
export type PanelServer = Awaited<ReturnType<typeof startPanelServer>>;

/** Serves the panels on a free port of this computer; each is built when it is first asked for. */
export async function startPanelServer() {
  const scripts = new Map<PageName, Promise<string>>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const page = pageNames.find((name) => path === `/${name}`);
    const answer =
      page === undefined ? readAsset(path, scripts) : Promise.resolve(pageOf(page, `http://${request.headers.host}`));
    answer.then(
      (body) => send(response, 200, contentTypes[extname(path)] ?? 'text/html', body),
      () => send(response, 404, 'text/plain', ''),
    );
  });
  const { origin, close } = await listen(server);
  return { address: (panel: PageName) => `${origin}/${panel}`, close };
}

async function bundle(name: PageName): Promise<string> {
  const result = await build({
    entryPoints: [join(repository, name === 'form' ? 'test/webview/formHarness.ts' : `src/webview/${name}/main.ts`)],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
  });
  return result.outputFiles[0]?.text ?? '';
}

function pageOf(name: PageName, origin: string): string {
  return renderWebviewHtml({
    title: 'Patchbay',
    cspSource: origin,
    nonce: randomBytes(16).toString('hex'),
    scriptUri: `${origin}/${name}.js`,
    styleUris: ['codicon', 'panel', ...styles[name]].map((style) => `${origin}/${style}.css`),
  });
}

function readAsset(path: string, scripts: Map<PageName, Promise<string>>): Promise<string | Buffer> {
  const page = pageNames.find((each) => path === `/${each}.js`);
  if (page !== undefined) {
    const script = scripts.get(page) ?? bundle(page);
    scripts.set(page, script);
    return script;
  }
  const name = path.slice(1);
  if (!/^[\w.-]+\.(css|ttf)$/.test(name)) return Promise.reject(new Error(`Not served: ${path}`));
  return readFile(join(name.startsWith('codicon') ? codicons : join(repository, 'media'), name));
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'content-type': type }).end(body);
}
