import { ConsentPage } from './consentPage.ts';

new ConsentPage(document.body).start();
