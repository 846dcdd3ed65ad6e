/** Nodemailer, and Nest's MailerService over it. Facts from the types of nodemailer 8 and 10. */
import { exported, library } from './schema.ts';

const TRANSPORTER = 'nodemailer:Transporter';

export default library({
  key: 'nodemailer',
  packages: ['nodemailer', 'nodemailer/*', '@nestjs-modules/mailer'],
  title: 'Nodemailer',
  family: 'service',
  obtain: [
    { type: TRANSPORTER, by: 'call', name: exported('createTransport') },
    { type: TRANSPORTER, by: 'annotation', name: [...exported('Transporter'), 'MailerService'] },
  ],
  calls: [{ on: TRANSPORTER, name: 'sendMail', does: { kind: 'external', service: 'mail' }, delivery: { callback: 'last' } }],
  facts: ['A mail cannot be refused or taken back, and there is no idempotency key: `messageId` is at most looked at by the receiver. Record the send in a fenced write first.'],
});
