export { ConfigError, type ConfigProblem } from './config-error.js';
export { UnavailableError, type Service } from './unavailable-error.js';
export { EXIT, exitCodeOf } from './exit-code.js';
