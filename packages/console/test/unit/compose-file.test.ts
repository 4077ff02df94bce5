import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allSettings } from '@dist-crawl/core/config';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const file = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');

const service = z.object({
  image: z.string(),
  profiles: z.array(z.string()).optional(),
  build: z.object({ context: z.string(), dockerfile: z.string() }).optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
});
const composeFile = z.object({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) });
const { services, volumes } = composeFile.parse(parse(file('docker-compose.yml'), { merge: true }));

describe('docker-compose.yml', () => {
  it('starts Redis 8 and MySQL 8.4 with health checks and named volumes, and nothing else without a profile', () => {
    const plain = Object.entries(services).filter(([, { profiles }]) => profiles === undefined);
    expect(plain.map(([name, { image }]) => [name, image])).toEqual([
      ['redis', 'redis:8'],
      ['mysql', 'mysql:8.4'],
    ]);
    for (const [, { healthcheck, volumes: mounts }] of plain) {
      expect(healthcheck?.test?.length).toBeGreaterThan(1);
      expect(Object.keys(volumes)).toContain(mounts?.[0]?.split(':')[0]);
    }
    expect(services['redis']?.command).toContain('noeviction');
  });

  it('runs the three daemons in the profile crawl, from one image, once the servers are healthy', () => {
    const daemons = Object.entries(services).filter(([, { profiles }]) => profiles?.includes('crawl'));
    expect(daemons.map(([name]) => name).sort()).toEqual(['consumer', 'producer', 'retry-scheduler']);
    for (const [name, { build, depends_on: needs, command }] of daemons) {
      expect(build).toEqual({ context: '.', dockerfile: '.docker/Dockerfile' });
      expect(Object.values(needs ?? {}).map(({ condition }) => condition)).toEqual([
        'service_healthy',
        'service_healthy',
      ]);
      expect(command?.slice(0, 2)).toEqual(['node', `packages/${name}/dist/main.js`]);
    }
  });

  it('sets only variables that the daemons read', () => {
    const known = new Set(allSettings().map(({ setting }) => setting.name));
    for (const { profiles, environment } of Object.values(services)) {
      if (profiles === undefined) continue;
      for (const name of Object.keys(environment ?? {})) expect(known).toContain(name);
    }
  });
});

describe('the image', () => {
  it('is built in two stages, runs without root, and starts what the compose file names', () => {
    const text = file('.docker/Dockerfile');
    expect(text.match(/^FROM /gm)).toHaveLength(2);
    const last = text.slice(text.lastIndexOf('\nFROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^CMD \["node", "packages\/consumer\/dist\/main\.js"\]$/m);
  });
});
