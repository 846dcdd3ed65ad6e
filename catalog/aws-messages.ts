/**
 * Mail and messages of AWS: SES, SESv2, SNS, SQS, EventBridge. Facts from the types of 3.1169 to
 * 3.1176. A command object is the call: `send` only carries it.
 */
import { arg, exported, library, type Call } from './schema.ts';

const sends = (names: readonly string[], service: 'mail' | 'message', keys: readonly string[] = []): Call => ({
  on: 'module',
  name: exported(...names),
  does: { kind: 'external', service, idempotencyKey: keys.map((name) => arg(0, name)) },
});

export default library({
  key: 'aws-messages',
  packages: ['@aws-sdk/client-ses', '@aws-sdk/client-sesv2', '@aws-sdk/client-sns', '@aws-sdk/client-sqs', '@aws-sdk/client-eventbridge'],
  title: 'AWS SES, SNS, SQS, EventBridge',
  family: 'service',
  calls: [
    sends(['SendEmailCommand', 'SendRawEmailCommand', 'SendBulkEmailCommand', 'SendTemplatedEmailCommand', 'SendBulkTemplatedEmailCommand'], 'mail'),
    sends(['SendMessageCommand', 'PublishCommand'], 'message', ['MessageDeduplicationId']),
    {
      on: 'module',
      name: exported('SendMessageBatchCommand'),
      does: { kind: 'external', service: 'message', idempotencyKey: [{ arg: 0, path: ['Entries'], each: ['MessageDeduplicationId'] }] },
    },
    {
      on: 'module',
      name: exported('PublishBatchCommand'),
      does: { kind: 'external', service: 'message', idempotencyKey: [{ arg: 0, path: ['PublishBatchRequestEntries'], each: ['MessageDeduplicationId'] }] },
    },
    sends(['PutEventsCommand'], 'message'),
  ],
  facts: [
    'SES has no token by which a second send could be refused: record the send in a fenced write first.',
    '`MessageDeduplicationId` of SQS and SNS works for FIFO queues and topics only, for five minutes.',
  ],
});
