import { runProgram } from '@dist-crawl/core/config';
import { EXIT } from '@dist-crawl/core/errors';
import { runCommand } from '@dist-crawl/core/runtime';
import { createProgram } from './program.js';
import { processTerminal } from './terminal/terminal.js';

await runCommand(async (signal) => {
  let exitCode: number = EXIT.ok;
  const exitWith = (code: number): void => {
    exitCode = code;
  };
  await runProgram(createProgram({ terminal: processTerminal(), signal, exitWith }));
  return exitCode;
});
