/**
 * NestJS: what stands behind an injection token is said by the providers of a module. Facts from the
 * types of @nestjs/common 11, `Provider`.
 */
import { library } from './schema.ts';

export default library({
  key: 'nest',
  packages: ['@nestjs/common'],
  title: 'NestJS',
  family: 'language',
  calls: [],
  injections: [
    {
      token: 'provide',
      binds: [
        { property: 'useClass', how: 'itself' },
        { property: 'useExisting', how: 'itself' },
        { property: 'useFactory', how: 'answer' },
        { property: 'useValue', how: 'itself' },
      ],
    },
  ],
  facts: ['What a provider in sight binds to a token (`{ provide: LOCK, useClass: RedisLock }`) stands behind what is injected by it.'],
});
