/** The query and update language of MongoDB, which its drivers, Mongoose and MikroORM share. Facts from the MongoDB manual. */
import type { Operators } from './schema.ts';

export const mongoOperators: Operators = {
  $lt: '<',
  $lte: '<=',
  $gt: '>',
  $gte: '>=',
  $eq: '=',
  $ne: '<>',
  $in: 'in',
  $and: 'and',
  $or: 'or',
  $nor: 'not',
  $not: 'not',
  $expr: 'expression',
  $set: 'set',
  $setOnInsert: 'set',
  $unset: 'set',
  $inc: 'increment',
  $mul: 'increment',
  $max: 'increment',
  $min: 'increment',
  $currentDate: 'set',
  $push: 'increment',
  $addToSet: 'increment',
  $pull: 'increment',
  $pullAll: 'increment',
  $pop: 'increment',
};

/** How a filter compares by order. */
export const mongoOrder = { below: '{ $lt: {token} }', notAbove: '{ $lte: {token} }', set: '$set' };
