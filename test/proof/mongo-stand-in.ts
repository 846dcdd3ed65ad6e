/**
 * A stand-in for MongoDB: its wire protocol over documents in this process. Filters and updates are
 * evaluated by mingo, one command after the other; what the proofs do not send is answered by an error.
 */
import { Query, updateOne } from 'mingo';
import { BSON, type Document } from 'mongodb';
import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import type { Server } from './children.ts';

const [opReply, opQuery, opMessage] = [1, 2004, 2013];

type Documents = Map<string, Document[]>;
type Modifier = Parameters<typeof updateOne>[2];

const greeting = { ok: 1, ismaster: true, isWritablePrimary: true, helloOk: true, minWireVersion: 0, maxWireVersion: 21, maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000, maxWriteBatchSize: 100_000, localTime: new Date(0) };

const matching = (list: Document[], filter: Document): Document[] => list.filter((it) => new Query(filter).test(it));

const isModifier = (update: Document): boolean => Object.keys(update).every((it) => it.startsWith('$'));

/** Changes a document as the update says: by its operators, or as a whole. */
function change(it: Document, update: Document): void {
  if (isModifier(update)) {
    updateOne([it], {}, update as Modifier, { cloneMode: 'deep' });
    return;
  }
  for (const name of Object.keys(it)) if (name !== '_id') delete it[name];
  Object.assign(it, update);
}

/** What an upsert begins with: the values that its filter names. */
const seed = (filter: Document): Document => Object.fromEntries(Object.entries(filter).filter(([name, value]) => !name.startsWith('$') && (typeof value !== 'object' || value === null || !isModifier(value as Document))));

function insert(list: Document[], it: Document): Document | undefined {
  if (list.some((other) => other._id === it._id)) return { index: 0, code: 11_000, errmsg: 'E11000 duplicate key error', keyPattern: { _id: 1 }, keyValue: { _id: it._id as unknown } };
  list.push(it);
  return undefined;
}

interface Step {
  q: Document;
  u: Document;
  upsert?: boolean;
  limit?: number;
  multi?: boolean;
}

function update(list: Document[], steps: Step[]): Document {
  let n = 0;
  const [upserted, writeErrors]: [Document[], Document[]] = [[], []];
  steps.forEach(({ q, u, upsert, multi }, index) => {
    const found = matching(list, q).slice(0, multi ? undefined : 1);
    n += found.length;
    found.forEach((it) => change(it, u));
    if (found.length > 0 || !upsert) return;
    const added = seed(q);
    const { $setOnInsert, ...rest } = u;
    change(added, isModifier(u) ? { ...rest, $set: { ...(rest.$set as object), ...($setOnInsert as object) } } : u);
    const error = insert(list, added);
    if (error) writeErrors.push(error);
    else upserted.push({ index, _id: added._id as unknown });
  });
  return { ok: 1, n: n + upserted.length, nModified: n, ...(upserted.length > 0 ? { upserted } : {}), ...(writeErrors.length > 0 ? { writeErrors } : {}) };
}

function remove(list: Document[], steps: Step[]): Document {
  let n = 0;
  for (const { q, limit } of steps) {
    for (const it of matching(list, q).slice(0, limit === 1 ? 1 : undefined)) {
      list.splice(list.indexOf(it), 1);
      n++;
    }
  }
  return { ok: 1, n };
}

function findAndModify(list: Document[], command: Document): Document {
  const [found] = matching(list, command.query as Document);
  const old = found && BSON.deserialize(BSON.serialize(found));
  if (found && command.remove) list.splice(list.indexOf(found), 1);
  else if (found) change(found, command.update as Document);
  return { ok: 1, value: (command.new ? found : old) ?? null, lastErrorObject: { n: found ? 1 : 0, updatedExisting: found !== undefined } };
}

function answer(command: Document, documents: Documents): Document {
  const [name, target] = Object.entries(command)[0] as [string, unknown];
  const collection = String(target);
  let list = documents.get(collection);
  if (!list) documents.set(collection, (list = []));
  switch (name.toLowerCase()) {
    case 'hello':
    case 'ismaster':
      return greeting;
    case 'ping':
    case 'endsessions':
      return { ok: 1 };
    case 'insert': {
      const writeErrors = (command.documents as Document[]).flatMap((it) => insert(list, it) ?? []);
      return { ok: 1, n: (command.documents as Document[]).length - writeErrors.length, ...(writeErrors.length > 0 ? { writeErrors } : {}) };
    }
    case 'update':
      return update(list, command.updates as Step[]);
    case 'delete':
      return remove(list, command.deletes as Step[]);
    case 'findandmodify':
      return findAndModify(list, command);
    case 'find':
      return { ok: 1, cursor: { id: BSON.Long.ZERO, ns: `${String(command.$db)}.${collection}`, firstBatch: matching(list, (command.filter ?? {}) as Document) } };
    default:
      return { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: `no such command: ${name}` };
  }
}

/** The command of a message, with the documents that stand in sections of their own. */
function commandOf(body: Buffer): Document {
  let at = 4;
  let command: Document = {};
  const lists: Document = {};
  while (at < body.length) {
    const kind = body[at++];
    const size = body.readInt32LE(at);
    if (kind === 0) command = BSON.deserialize(body.subarray(at, at + size));
    else {
      const nameEnd = body.indexOf(0, at + 4);
      const list: Document[] = [];
      for (let start = nameEnd + 1; start < at + size; start += body.readInt32LE(start)) list.push(BSON.deserialize(body.subarray(start, start + body.readInt32LE(start))));
      lists[body.toString('utf8', at + 4, nameEnd)] = list;
    }
    at += size;
  }
  return { ...command, ...lists };
}

function reply(message: Buffer, documents: Documents): Buffer {
  const [id, operation] = [message.readInt32LE(4), message.readInt32LE(12)];
  const body = message.subarray(16);
  const isOld = operation === opQuery;
  // The first greeting comes in the old form: flags, the name of a collection, two numbers, the document.
  const command = isOld ? BSON.deserialize(body.subarray(body.indexOf(0, 4) + 9)) : commandOf(body);
  const content = BSON.serialize(answer(command, documents));
  const before = isOld ? Buffer.alloc(20) : Buffer.alloc(5);
  if (isOld) before.writeInt32LE(1, 16);
  const head = Buffer.alloc(16);
  head.writeInt32LE(16 + before.length + content.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(isOld ? opReply : opMessage, 12);
  return Buffer.concat([head, before, content]);
}

/** Starts it on a free port. */
export async function startMongo(): Promise<Server> {
  const documents: Documents = new Map();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket)));
    let rest = Buffer.alloc(0);
    socket.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
        const size = rest.readInt32LE(0);
        socket.write(reply(rest.subarray(0, size), documents));
        rest = rest.subarray(size);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/proof`,
    async stop() {
      sockets.forEach((it) => it.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
