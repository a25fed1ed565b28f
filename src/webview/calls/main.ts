import { CallsPage } from './callsPage.ts';

new CallsPage(document.body).start();
