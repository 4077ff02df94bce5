export { connectRedis, redisAddress, type RedisClient, type RedisOptions } from './connect.js';
export { defineScript, type DoneVariant, type KeyName, type Script } from './define-script.js';
export { isServing } from './is-serving.js';
export { siteKeys, type RedisKey, type SiteKeys } from './keys.js';
export { passesByItself } from './refusals.js';
export { createScriptRunner, type ScriptRunner } from './run-script.js';
export { createSharedCache, type SharedCache } from './shared-cache.js';
export { waitForRedis } from './wait-for-redis.js';
