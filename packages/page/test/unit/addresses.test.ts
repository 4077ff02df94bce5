import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/fetch/addresses.js';

describe('isPublicAddress', () => {
  it.each(['93.184.215.14', '1.1.1.1', '2606:4700:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'takes %s for public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each(
    `127.0.0.1 127.8.8.8 10.1.2.3 172.20.0.1 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3 100.100.100.200 168.63.129.16
    192.0.0.192 198.18.0.1 224.0.0.1 255.255.255.255 240.0.0.1 ::1 :: fe80::1 fd00:ec2::254 fc00::1 ff02::1
    2001:db8::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::127.0.0.1 64:ff9b::a9fe:a9fe 2002:7f00:1:: nonsense`.split(
      /\s+/,
    ),
  )('refuses %s', (address) => expect(isPublicAddress(address)).toBe(false));
});
