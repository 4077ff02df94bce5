// Installs and builds with nothing but Node and npm: pnpm comes through npx, in the version that package.json pins, so
// that no global pnpm is needed and a newer one does no harm.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packageManager, engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [needMajor, needMinor] = engines.node.match(/\d+/g).map(Number);
if (major < needMajor || (major === needMajor && minor < needMinor)) {
  console.error(`Node ${process.versions.node} is too old: ${engines.node} is needed (https://nodejs.org).`);
  process.exit(78);
}

/** Runs one command of the pinned pnpm; ends this process where it fails. */
function pnpm(...args) {
  // A parent npm hands its settings on as npm_config_*; pnpm would take them for its own and warn about each.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_config_/i.test(name) || /registry|cafile|proxy|cache/i.test(name),
    ),
  );
  const shell = process.platform === 'win32';
  const { status, error } = spawnSync('npx', ['--yes', packageManager, ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
    shell,
  });
  if (error) console.error(`npx could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

console.log(`Installing with ${packageManager} (the first time takes a minute or two) …`);
pnpm('install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only', '--loglevel=warn');
console.log('Building …');
pnpm('run', '--silent', 'build');
