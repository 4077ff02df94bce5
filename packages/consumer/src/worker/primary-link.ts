import { readFromPrimary, type FromPrimary, type FromWorker } from '../link/messages.js';

export interface PrimaryLink {
  send(message: FromWorker): void;
  /** @param onGone - the primary died: nobody renews the leases of this worker any more */
  listen(onMessage: (message: FromPrimary) => void, onGone: () => void): void;
  close(): void;
}

/** The worker's end of the channel to its primary. */
export function linkToPrimary(): PrimaryLink {
  return {
    send(message) {
      if (process.connected) process.send?.(message, undefined, undefined, () => undefined); // a primary that is gone: onGone
    },
    listen(onMessage, onGone) {
      process.on('message', (raw) => onMessage(readFromPrimary(raw)));
      process.on('disconnect', onGone);
    },
    close() {
      if (process.connected) process.disconnect();
    },
  };
}
