/** SendGrid (`@sendgrid/mail`). Facts from the types of 8. */
import { exported, library } from './schema.ts';

const SERVICE = 'sendgrid:MailService';

export default library({
  key: 'sendgrid',
  packages: ['@sendgrid/mail'],
  title: 'SendGrid',
  family: 'service',
  obtain: [
    { type: SERVICE, by: 'value', name: 'default' },
    { type: SERVICE, by: 'new', name: exported('MailService') },
    { type: SERVICE, by: 'annotation', name: exported('MailService') },
  ],
  calls: [
    { on: SERVICE, name: ['send', 'sendMultiple'], does: { kind: 'external', service: 'mail' }, delivery: { callback: 'last' } },
    { on: 'module', name: ['send', 'sendMultiple'], does: { kind: 'external', service: 'mail' }, delivery: { callback: 'last' } },
  ],
  facts: ['A mail cannot be refused or taken back, and there is no idempotency key. Record the send in a fenced write first.'],
});
