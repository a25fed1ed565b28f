import { TrafficPage } from './trafficPage.ts';

new TrafficPage(document.body).start();
