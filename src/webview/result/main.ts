import { startResultPage } from './resultPage.ts';

startResultPage(document.body);
