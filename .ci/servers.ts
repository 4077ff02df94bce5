import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    redisUrl: string;
  }
}

export default function setup(project: TestProject): () => void {
  const child = spawn('redis-server', ['--port', '7391', '--save', '', '--dir', mkdtempSync(join(tmpdir(), 'r-'))]);
  project.provide('redisUrl', 'redis://127.0.0.1:7391');
  return () => {
    child.kill();
  };
}
