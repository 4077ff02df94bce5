import { spawnSync } from 'node:child_process';

/** A machine of its own, as far as the network goes: its only way out is a cable to ours. */
export interface NetworkNamespace {
  readonly name: string;
  /** Our end of the cable. */
  readonly gateway: string;
  /** What is sent arrives nowhere, and nobody is told: as with a cable that is pulled behind the switch. */
  cut(): void;
  mend(): void;
  remove(): void;
}

/** Why there can be none here, or false. */
export function noNetworkNamespace(): string | false {
  if (process.platform !== 'linux') return 'network namespaces are there on Linux only';
  try {
    makeNetworkNamespace(250).remove();
    return false;
  } catch (error) {
    return `network namespaces are not allowed here: ${error instanceof Error ? error.message.trim() : String(error)}`;
  }
}

const NOBODY = '02:00:00:00:00:01';

/** @param number - 0 to 255: part of the names and of the addresses */
export function makeNetworkNamespace(number: number): NetworkNamespace {
  const name = `dist-crawl-${process.pid % 100_000}-${number}`;
  const [ours, theirs] = [`dc${number}a`, `dc${number}b`];
  const [gateway, inside] = [`10.231.${number}.1`, `10.231.${number}.2`];
  const ip = (...args: string[]): void => {
    const { status, stderr, error } = spawnSync('ip', args, { encoding: 'utf8' });
    if (status !== 0) throw error ?? new Error(`ip ${args.join(' ')}: ${stderr}`);
  };
  const remove = (): void => {
    for (const args of [
      ['netns', 'delete', name],
      ['link', 'delete', ours],
    ]) {
      spawnSync('ip', args);
    }
  };
  remove();
  try {
    ip('netns', 'add', name);
    ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', name);
    ip('address', 'add', `${gateway}/30`, 'dev', ours);
    ip('link', 'set', ours, 'up');
    ip('-n', name, 'address', 'add', `${inside}/30`, 'dev', theirs);
    ip('-n', name, 'link', 'set', theirs, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
  } catch (error) {
    remove();
    throw error;
  }
  return {
    name,
    gateway,
    cut() {
      ip('neighbour', 'replace', inside, 'lladdr', NOBODY, 'dev', ours, 'nud', 'permanent');
      ip('-n', name, 'neighbour', 'replace', gateway, 'lladdr', NOBODY, 'dev', theirs, 'nud', 'permanent');
    },
    mend() {
      ip('neighbour', 'delete', inside, 'dev', ours);
      ip('-n', name, 'neighbour', 'delete', gateway, 'dev', theirs);
    },
    remove,
  };
}
