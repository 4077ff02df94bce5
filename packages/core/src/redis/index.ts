export { connectRedis, redisAddress, type RedisClient, type RedisOptions } from './connect.js';
export { defineScript, type DoneVariant, type KeyName, type Script } from './define-script.js';
export { siteKeys, type RedisKey, type SiteKeys } from './keys.js';
export { createScriptRunner, type ScriptRunner } from './run-script.js';
export { createSharedCache, type SharedCache } from './shared-cache.js';
export { waitForRedis } from './wait-for-redis.js';
