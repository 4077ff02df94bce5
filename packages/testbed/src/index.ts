export {
  type MySqlServer,
  type PrivateServer,
  type RedisServer,
  type ServerOptions,
  ServerStartError,
} from './servers/private-server.js';
export { type RedisOptions, startRedis } from './servers/redis-server.js';
export { type MySqlOptions, startMysql } from './servers/mysql-server.js';
export { type Servers, startServers, type StartServersOptions } from './servers/start-servers.js';
export { ServersMissingError } from './servers/choose-ways.js';
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
