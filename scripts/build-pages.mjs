// Builds the pages of the desk and of `tonplug dev` into the packages that serve them. Unchanged files are not written again.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { replaceFiles } from './files.mjs'

const ROOT = 'packages/desk/ui'
const PAGES = { desk: 'packages/desk/dist/ui', dev: 'packages/tonplug/dist/page' }
/** The licenses of the code that each page contains. */
const LICENSES = {
  desk: ['preact/LICENSE', 'qr/LICENSE-MIT'],
  dev: ['preact/LICENSE'],
  'ton-connect': ['@tonconnect/sdk/LICENSE'],
}

// Vite belongs to the workspace of the pages.
const { build } = await import(createRequire(resolve(ROOT, 'package.json')).resolve('vite'))

await Promise.all(Object.entries(PAGES).map(([name, folder]) => buildPage(name, folder)))

async function buildPage(name, folder) {
  const { output } = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    // Relative URLs work below any path.
    base: './',
    // Otherwise Vite searches for a configuration of PostCSS.
    css: { postcss: {} },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      assetsInlineLimit: 0,
      rolldownOptions: {
        input: resolve(ROOT, `${name}.html`),
        output: {
          entryFileNames: `assets/${name}.js`,
          // Code that a page loads on request.
          chunkFileNames: 'assets/[name].js',
          assetFileNames: ({ names: [file] }) => `assets/${file}`,
          postBanner: ({ name: chunk }) => LICENSES[chunk].map(noticeOf).join(''),
        },
      },
    },
  })
  const files = output.map(({ type, fileName, code, source }) => [
    fileName === `${name}.html` ? 'index.html' : fileName,
    type === 'chunk' ? code : String(source),
  ])
  replaceFiles(folder, files)
}

function noticeOf(license) {
  return `/*!\n${readFileSync(`${ROOT}/node_modules/${license}`, 'utf8')}*/\n`
}
