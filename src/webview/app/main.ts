import { AppPage } from './appPage.ts';

new AppPage(document.body).start();
