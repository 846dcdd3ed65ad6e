/**
 * Kafka: kafkajs and Confluent's client with the same surface. Facts from the types and source of
 * kafkajs 2.2 and @confluentinc/kafka-javascript 1.10.
 */
import { arg, constant, library } from './schema.ts';

const KAFKA = 'kafkajs:Kafka';
const PRODUCER = 'kafkajs:Producer';
const TRANSACTION = 'kafkajs:Transaction';
const CONSUMER = 'kafkajs:Consumer';

export default library({
  key: 'kafkajs',
  packages: ['kafkajs', '@confluentinc/kafka-javascript'],
  title: 'kafkajs',
  family: 'service',
  obtain: [
    { type: KAFKA, by: 'new', name: ['Kafka', 'KafkaJS.Kafka', 'default.Kafka'] },
    { type: KAFKA, by: 'annotation', name: ['Kafka', 'KafkaJS.Kafka'] },
    { type: PRODUCER, by: 'method', name: 'producer', of: KAFKA },
    { type: PRODUCER, by: 'annotation', name: ['Producer', 'KafkaJS.Producer'] },
    { type: TRANSACTION, by: 'method', name: 'transaction', of: PRODUCER },
    { type: TRANSACTION, by: 'annotation', name: 'Transaction' },
    { type: CONSUMER, by: 'method', name: 'consumer', of: KAFKA },
  ],
  calls: [
    {
      on: PRODUCER,
      name: ['send', 'sendBatch'],
      does: { kind: 'external', service: 'message' },
      note: 'also with a `transactionalId` this goes past the transaction, and is not fenced',
    },
    {
      on: TRANSACTION,
      name: ['send', 'sendBatch', 'sendOffsets'],
      does: { kind: 'external', service: 'message', idempotencyKey: [constant('the epoch of the producer')] },
      note: 'a newer producer with the same `transactionalId` fences this one',
    },
    { on: TRANSACTION, name: 'commit', does: { kind: 'transaction', step: 'commit' } },
    { on: TRANSACTION, name: 'abort', does: { kind: 'transaction', step: 'rollback' } },
    { on: CONSUMER, name: 'run', does: { kind: 'calls', body: arg(0, 'eachMessage'), when: 'later', answers: 'other' } },
  ],
  facts: [
    'Only `producer.transaction()` with a stable `transactionalId` is fenced: a newer producer with that id ends the older one\'s epoch. `producer.send()` is not, even with a `transactionalId`.',
    '`idempotent: true` removes duplicates of one producer session, not of two holders.',
  ],
});
