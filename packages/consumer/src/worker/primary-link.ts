import { readFromPrimary, type FromPrimary, type FromWorker } from '../link/messages.js';

export interface PrimaryLink {
  send(message: FromWorker): void;
  listen(onMessage: (message: FromPrimary) => void): void;
  close(): void;
}

/** The worker's end of the channel to its primary. Node ends a cluster worker whose primary is gone. */
export function linkToPrimary(): PrimaryLink {
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined); // failed: the primary is gone, and this process is about to be
    },
    listen(onMessage) {
      process.on('message', (raw) => onMessage(readFromPrimary(raw)));
    },
    close() {
      if (process.connected) process.disconnect();
    },
  };
}
