// Bundles the entries of every package, with zod, into dist/esm and dist/cjs, after tsc has written the declarations to
// dist/esm. Unchanged files keep their time and are not written again, as running tests may import them.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { minifySync } from 'rolldown/utils'
import { packageFolders, writeChanged } from './files.mjs'
import { readJson } from './pack.mjs'

/** Puts each client into a chunk: an app that uses one of them has no code of the other one in its bundle. */
const separateClients = {
  name: 'separate clients',
  buildStart() {
    for (const name of ['v2', 'v3']) {
      const id = `./src/toncenter/${name}/client.ts`
      this.emitFile({ type: 'chunk', id, name, preserveSignature: 'allow-extension' })
    }
  },
}
const ZOD_NOTICE = `/*\n${readFileSync('packages/core/node_modules/zod/LICENSE', 'utf8')}*/`

await Promise.all(packageFolders('packages').map(bundlePackage))

async function bundlePackage(folder) {
  const manifest = readJson(join(folder, 'package.json'))
  const { main, bin, exports, dependencies, peerDependencies } = manifest
  const formats = Object.groupBy(
    JSON.stringify([bin, exports]).matchAll(/dist\/(?<format>esm|cjs)\/(?<name>\w+)\.js/g),
    ({ groups }) => groups.format,
  )
  const external = Object.keys({ ...dependencies, ...peerDependencies })
    .filter((name) => name !== 'zod')
    .map((name) => new RegExp(`^${name}(/|$)`))
  for (const [format, entries] of Object.entries(formats)) {
    const input = entries.map(({ groups }) => `./src/${groups.name}.ts`)
    await bundle(folder, format, { input, external: [/^node:/, ...external] })
  }
  if (main !== undefined) completeCommonJs(folder)
}

async function bundle(folder, format, options) {
  const build = await rolldown({
    ...options,
    cwd: resolve(folder),
    plugins: folder.endsWith('core') ? [separateClients] : [],
    tsconfig: true,
    transform: { target: 'es2023' },
    treeshake: { moduleSideEffects: (id, isExternal) => isExternal && id !== 'node:crypto' },
  })
  const { output } = await build.generate({
    format,
    exports: 'named',
    esModule: true,
    generatedCode: { symbols: false },
    chunkFileNames: '[name].js',
    codeSplitting: { groups: [{ name: 'zod', test: /\/node_modules\/zod\// }] },
    comments: { jsdoc: false, legal: false },
  })
  await build.close()
  for (const { name, fileName, code } of output) {
    const text = name === 'zod' ? minifiedZod(fileName, code) : code
    writeChanged(join(folder, 'dist', format, fileName), text)
  }
}

function minifiedZod(fileName, code) {
  const minified = minifySync(fileName, code, { mangle: { toplevel: true } })
  return `${ZOD_NOTICE}\n${minified.code}\n`
}

/** The packages are "type": "module". Declarations are the same in both formats. */
function completeCommonJs(folder) {
  const [esm, cjs] = [join(folder, 'dist/esm'), join(folder, 'dist/cjs')]
  writeChanged(join(cjs, 'package.json'), '{ "type": "commonjs" }\n')
  for (const file of readdirSync(esm, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    writeChanged(join(cjs, file), readFileSync(join(esm, file), 'utf8'))
  }
}
