/** Resend. Facts from the types of resend 6. */
import { arg, exported, library } from './schema.ts';

const CLIENT = 'resend:Client';

export default library({
  key: 'resend',
  packages: ['resend'],
  title: 'Resend',
  family: 'service',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('Resend') },
    { type: CLIENT, by: 'annotation', name: 'Resend' },
    { type: 'resend:Emails', by: 'property', name: ['emails', 'batch', 'broadcasts'], of: CLIENT },
  ],
  calls: [{ on: 'resend:Emails', name: ['send', 'create'], does: { kind: 'external', service: 'mail', idempotencyKey: [arg(1, 'idempotencyKey')] } }],
  facts: ['`emails.send(mail, { idempotencyKey })` sends once per key; make the key from the work, not from the attempt.'],
});
