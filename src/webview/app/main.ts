import { AppPage } from './appPage.ts';

const page = new AppPage(document.body);
// The host may give the tab another page then, which VS Code never shows if this one is still loading.
if (document.readyState === 'complete') page.start();
else window.addEventListener('load', () => page.start(), { once: true });
