/** RabbitMQ by amqplib and amqp-connection-manager. Facts from `@types/amqplib`. */
import { arg, exported, library } from './schema.ts';

const CONNECTION = 'amqplib:Connection';
const CHANNEL = 'amqplib:Channel';

export default library({
  key: 'amqplib',
  packages: ['amqplib', 'amqplib/*', 'amqp-connection-manager'],
  title: 'amqplib',
  family: 'service',
  obtain: [
    { type: CONNECTION, by: 'call', name: exported('connect') },
    { type: CONNECTION, by: 'annotation', name: exported('Connection', 'ChannelModel', 'AmqpConnectionManager') },
    { type: CHANNEL, by: 'method', name: ['createChannel', 'createConfirmChannel'], of: CONNECTION },
    { type: CHANNEL, by: 'annotation', name: exported('Channel', 'ConfirmChannel', 'ChannelWrapper') },
  ],
  calls: [
    { on: CHANNEL, name: 'publish', does: { kind: 'external', service: 'message', idempotencyKey: [arg(3, 'messageId')] }, delivery: { callback: 'last' } },
    { on: CHANNEL, name: 'sendToQueue', does: { kind: 'external', service: 'message', idempotencyKey: [arg(2, 'messageId')] }, delivery: { callback: 'last' } },
    { on: CHANNEL, name: 'consume', does: { kind: 'calls', body: arg(1), when: 'later', answers: 'other' } },
  ],
  facts: ['The broker does not remove duplicates: a `messageId` made from the work lets the consumer do it.'],
});
