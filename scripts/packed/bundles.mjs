// Measures what an application for browsers bundles of the built @tonplug/core.
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const CORE = resolve('packages/core/dist/esm/index.js')
const ENTRY = 'entry'

/** @returns bytes of the bundle of `code`, minified and compressed, with what it loads later. */
export async function bundledBytes(code) {
  const build = await rolldown({
    input: ENTRY,
    platform: 'browser',
    resolve: { alias: { '@tonplug/core': CORE } },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === ENTRY ? id : undefined),
        load: (id) => (id === ENTRY ? code : undefined),
      },
    ],
  })
  const { output } = await build.generate({ minify: true, format: 'esm' })
  await build.close()
  return output
    .filter((part) => part.type === 'chunk')
    .reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0)
}
