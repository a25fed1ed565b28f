import { StartReviewPage } from './startReviewPage.ts';

new StartReviewPage(document.body).start();
