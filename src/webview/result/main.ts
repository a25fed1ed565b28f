import { ResultPage } from './resultPage.ts';

new ResultPage(document.body).start();
