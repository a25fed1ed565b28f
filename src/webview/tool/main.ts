import { ToolPage } from './toolPage.ts';

new ToolPage(document.body).start();
