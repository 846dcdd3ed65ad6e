/** Upstash's way of sending commands, over the Redis of the test: an array of words, or of several such arrays, in the body of a POST; an object with the result, or an array of them, as the answer. */
import type Redis from 'ioredis';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server } from './children.ts';

type Words = [string, ...(string | number)[]];

export async function startRest(redis: Redis): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data) => (body += String(data)));
    request.on('end', () => {
      const sent = JSON.parse(body) as Words | Words[];
      const run = ([command, ...words]: Words): Promise<object> => redis.call(command, ...words).then((result) => ({ result }), (error: Error) => ({ error: error.message }));
      const isList = (it: Words | Words[]): it is Words[] => Array.isArray(it[0]);
      void (isList(sent) ? Promise.all(sent.map(run)) : run(sent)).then((content) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content)));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
