import { ElicitationPage } from './elicitationPage.ts';

new ElicitationPage(document.body).start();
