/** Twilio. Facts from the types of twilio 6. */
import { exported, library } from './schema.ts';

const CLIENT = 'twilio:Client';
const RESOURCE = 'twilio:Resource';

export default library({
  key: 'twilio',
  packages: ['twilio'],
  title: 'Twilio',
  family: 'service',
  obtain: [
    { type: CLIENT, by: 'call', name: ['default', ...exported('Twilio')] },
    { type: CLIENT, by: 'new', name: exported('Twilio') },
    { type: CLIENT, by: 'annotation', name: exported('Twilio') },
    { type: RESOURCE, by: 'property', name: '*', of: CLIENT },
    { type: RESOURCE, by: 'property', name: '*', of: RESOURCE },
    // `verify.v2.services(id)`
    { type: RESOURCE, by: 'call', name: '()', of: RESOURCE },
  ],
  calls: [{ on: RESOURCE, name: 'create', does: { kind: 'external', service: 'message' } }],
  facts: ['A message or call cannot be refused or taken back, and the SDK takes no idempotency key. Record it in a fenced write first.'],
});
