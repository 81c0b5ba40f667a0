import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractClient } from './scripts/contract-plugin.ts';
import { routerOptions } from './scripts/routes.ts';

export default defineConfig({
  root: import.meta.dirname,
  // Not hashed by the build and cached for ever by the server: a changed file there needs a new name.
  publicDir: 'src/public',
  plugins: [tanstackRouter({ ...routerOptions, target: 'react', autoCodeSplitting: true }), react(), contractClient()],
  server: { proxy: { '/api': 'http://127.0.0.1:4000' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2022',
    // The content policy allows fonts and scripts from this site only, so nothing may become a data: address.
    assetsInlineLimit: 0,
  },
});
