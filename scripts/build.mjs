// Compiles src/ to dist/: bundles for what runs, declarations for what is imported. The command is bundled because it
// starts at every hook event; its parts stay separate files that load only when used.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(import.meta.dirname, '..');
const HEADERS = path.join(root, 'src/models/http/headers.ts');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

/** Zod brings its messages in fifty languages; ours are written in one. Half of what every start would load. */
const oneLanguage = {
  name: 'one-language',
  setup: ({ onLoad }) =>
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
      loader: 'js',
    })),
};

/**
 * AI SDK makes `Headers` for every request, and Node's own load undici at their first use: a third of the time from
 * start to first request. Its packages get ours; every other dependency keeps the global.
 */
const lightHeaders = {
  name: 'light-headers',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[\\/]node_modules[\\/]@ai-sdk[\\/][^\\/]+[\\/]dist[\\/].*\.m?js$/ }, async ({ path: file }) => ({
      // On the first line, so that source maps still point at the right ones.
      contents: `import { Headers } from ${JSON.stringify(HEADERS)};${await readFile(file, 'utf8')}`,
      loader: 'js',
    })),
};

rmSync(path.join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts', testing: 'src/testing/index.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  // brings a binary that must be found on disk
  external: ['@vscode/ripgrep'],
  define: { STOPGATE_VERSION: JSON.stringify(version) },
  // some dependencies are CommonJS and call require() for Node's own modules
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [oneLanguage, lightHeaders],
  logLevel: 'warning',
});

const tsc = createRequire(import.meta.url).resolve('typescript/package.json');
const { bin } = JSON.parse(readFileSync(tsc, 'utf8'));
const command = path.join(path.dirname(tsc), typeof bin === 'string' ? bin : bin.tsc);
execFileSync(
  process.execPath,
  [
    command,
    '--noEmit',
    'false',
    '--emitDeclarationOnly',
    '--declaration',
    '--rootDir',
    'src',
    '--outDir',
    'dist/types',
    '-p',
    'tsconfig.build.json',
  ],
  { cwd: root, stdio: 'inherit' },
);
