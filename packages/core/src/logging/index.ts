export {
  createLogger,
  createSilentLogger,
  LOG_LEVELS,
  type Logger,
  type LogLevel,
  type LogSettings,
} from './logger.js';
export { redactText, redactUrl } from './redact.js';
