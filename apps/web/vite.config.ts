import { join } from 'node:path';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { contractClient } from './scripts/contract-plugin.ts';
import { routePaths, routerOptions } from './scripts/routes.ts';

const firstComponents =
  'ActionIcon|Alert|Anchor|Avatar|Badge|Box|Button|CloseButton|Group|Input|InputsGroup|Kbd|Loader|Menu|Paper|Popover|Portal|Skeleton|Stack|Text|Title|Tooltip|Transition|UnstyledButton|VisuallyHidden';
const groups = [
  {
    name: 'framework',
    test: /node_modules\/(react|react-dom|scheduler|@tanstack\/(?!react-virtual|virtual-core)[^/]+|@orpc|use-sync-external-store)\//,
  },
  {
    name: 'components',
    test: new RegExp(
      `node_modules/(@mantine/hooks|@floating-ui|clsx|@mantine/core/esm/(core|components/(${firstComponents}))/)`,
    ),
  },
  // A page asked for a hundred files of some hundred bytes each.
  { name: 'icons', test: /node_modules\/@tabler\/icons-react\//, minShareCount: 3 },
  // By fewer than ten: the editor too, which the first page has no use for.
  { name: 'shared', test: /\/(apps\/web\/src\/(features|ui)|packages)\//, minShareCount: 10 },
  // Not with those: the loading screen waits for it.
  {
    name: 'start',
    test: /vite\/preload-helper|apps\/web\/src\/platform\/(boot\/|telegram\/|credentials|http|session|storage|api-error)[-a-z]*\.ts|contract\/src\/errors\.ts/,
    priority: 1,
  },
];

/** The server answers 404 for an address that the app has no page for. */
const knownAddresses: Plugin = {
  name: 'known-addresses',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'addresses.json', source: JSON.stringify(await routePaths()) });
  },
};

export default defineConfig({
  root: import.meta.dirname,
  // Not hashed by the build and cached for ever by the server: a changed file there needs a new name.
  publicDir: 'src/public',
  plugins: [
    tanstackRouter({ ...routerOptions, target: 'react', autoCodeSplitting: true }),
    react(),
    contractClient(),
    knownAddresses,
  ],
  server: { proxy: { '/api': 'http://127.0.0.1:4000' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The content policy allows fonts and scripts from this site only, so nothing may become a data: address.
    assetsInlineLimit: 0,
    // What the first page needs anyway travels in three files instead of forty.
    rolldownOptions: {
      input: {
        index: join(import.meta.dirname, 'index.html'),
        'embed-charts': join(import.meta.dirname, 'src/embed/charts.ts'),
        'print-parts': join(import.meta.dirname, 'src/print/parts.ts'),
      },
      // Pages to print import what one of them exports.
      preserveEntrySignatures: 'exports-only',
      output: {
        codeSplitting: { groups },
        // The server's pages name them.
        entryFileNames: ({ name }) =>
          ['embed-charts', 'print-parts'].includes(name) ? 'assets/[name].js' : 'assets/[name]-[hash].js',
      },
    },
  },
});
