export { acquireLock, LOCK_TTL_MS, withLock, type Lock } from './lock.js';
