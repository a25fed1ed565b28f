import { createSystemClock } from '../../base/clock.ts';
import { AuditPage } from './auditPage.ts';

new AuditPage(document.body, createSystemClock()).start();
