export {
  type MySqlServer,
  type PrivateServer,
  type RedisServer,
  type ServerOptions,
  ServerStartError,
} from './servers/private-server.js';
export { type RedisOptions, startRedis } from './servers/redis-server.js';
export { type RedisCluster, type RedisClusterOptions, startRedisCluster } from './servers/redis-cluster.js';
export { type RedisSentinels, type RedisSentinelsOptions, startRedisSentinels } from './servers/redis-sentinels.js';
export { type MySqlOptions, startMysql } from './servers/mysql-server.js';
export { type Servers, startServers, type StartServersOptions } from './servers/start-servers.js';
export { ServersMissingError } from './servers/choose-ways.js';
export { createDatabase } from './servers/mysql-client.js';
export { querySql } from './servers/sql.js';
export { freePort } from './servers/free-port.js';
export { localDirectory } from './servers/local-directory.js';
export {
  type ServicesOptions,
  type ServicesStatus,
  type ServiceState,
  servicesStatus,
  startServices,
  stopServices,
} from './services/services.js';
export { type Shop, type ShopOptions, startShop } from './shop/shop.js';
export type { ShopGoods } from './shop/catalogue.js';
export type { PathCount, ShopCounts } from './shop/counts.js';
export { FAULT_KINDS, type Fault, type FaultInput, faultsSchema, PASSING_FAULTS } from './shop/faults.js';
export type { ShopCharset } from './shop/markup.js';
export { startStaticServer, type StaticServer, type StaticServerOptions } from './shop/static-server.js';
export { type Daemon, type DaemonExit, type DaemonOptions, spawnDaemon } from './processes/daemon.js';
export { eventually, type EventuallyOptions } from './processes/eventually.js';
