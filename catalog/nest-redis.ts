/**
 * NestJS modules that hand out ioredis clients: @nestjs-modules/ioredis, @liaoliaots/nestjs-redis and
 * @songkeys/nestjs-redis. Facts from the packages' own types.
 */
import { library } from './schema.ts';

const CLIENT = 'ioredis:Client';
const SERVICE = 'nest-redis:Service';

export default library({
  key: 'nest-redis',
  packages: ['@nestjs-modules/ioredis', '@liaoliaots/nestjs-redis', '@songkeys/nestjs-redis', '@songkeys/nestjs-redis/*', 'nestjs-redis'],
  title: 'NestJS modules for ioredis',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'decorator', name: ['InjectRedis', 'InjectCluster'] },
    { type: SERVICE, by: 'annotation', name: ['RedisService', 'RedisManager', 'ClusterService', 'ClusterManager'] },
    { type: CLIENT, by: 'method', name: ['getClient', 'getOrThrow', 'getOrNil'], of: SERVICE },
  ],
  calls: [],
  facts: ['`@InjectRedis()` and `RedisService.getOrThrow()` (`getClient()` in older majors) give ioredis clients.'],
});
