/**
 * Loggers: winston, pino, bunyan, the Nest logger and others. Facts from the packages' types. A log
 * line is neither a durable write nor work.
 */
import { exported, library } from './schema.ts';

const LOGGER = 'loggers:Logger';

export default library({
  key: 'loggers',
  packages: ['winston', 'pino', 'nestjs-pino', '@nestjs/common', 'bunyan', 'loglevel', 'consola', 'log4js', 'signale', 'tslog', 'debug', 'roarr', 'fastify', 'npmlog'],
  title: 'Loggers',
  family: 'service',
  obtain: [
    { type: LOGGER, by: 'call', name: exported('createLogger', 'pino', 'getLogger', 'createConsola') },
    { type: LOGGER, by: 'call', name: 'default', from: ['pino', 'debug'] },
    { type: LOGGER, by: 'new', name: exported('Logger', 'ConsoleLogger', 'Signale') },
    { type: LOGGER, by: 'value', name: ['default', 'consola'], from: ['loglevel', 'consola', 'winston', 'signale', 'npmlog', 'roarr'] },
    { type: LOGGER, by: 'annotation', name: [...exported('Logger', 'ConsoleLogger', 'BaseLogger', 'Debugger'), 'LoggerService', 'PinoLogger', 'FastifyBaseLogger', 'Consola', 'ConsolaInstance'] },
    { type: LOGGER, by: 'method', name: ['child', 'withTag', 'withScope', 'getSubLogger', 'getLogger', 'extend'], of: LOGGER },
  ],
  calls: [
    {
      on: LOGGER,
      name: ['()', 'log', 'info', 'warn', 'warning', 'error', 'debug', 'trace', 'verbose', 'silly', 'http', 'notice', 'fatal', 'success', 'start', 'ready', 'box', 'assign', 'setContext', 'profile', 'startTimer'],
      does: { kind: 'log' },
    },
    {
      on: 'module',
      name: ['log', 'info', 'warn', 'error', 'debug', 'verbose', 'trace'].flatMap((level) => [`Logger.${level}`, `default.${level}`]),
      does: { kind: 'log' },
    },
  ],
  facts: ['A log line is neither a write that needs a fence nor work that a release must wait for.'],
});
