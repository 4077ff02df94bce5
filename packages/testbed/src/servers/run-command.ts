import { execFile } from 'node:child_process';

export interface CommandResult {
  /** The exit code, or -1 if the program was not found, was killed, or took too long. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CommandOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Runs a program to its end. Never throws for what the program does; an abort gives code -1. */
export async function runCommand(
  file: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      file,
      [...args],
      {
        timeout: options.timeoutMs ?? 0,
        killSignal: 'SIGKILL',
        maxBuffer: 16 * 1024 * 1024,
        encoding: 'utf8',
        ...(options.signal ? { signal: options.signal } : {}),
      },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ code, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
      },
    );
  });
}
