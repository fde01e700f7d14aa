// Bundles the entries of every package, with zod and eventsource-parser, into dist/esm and dist/cjs, and the declarations that tsc has written to
// dist/types. Unchanged files keep their time and are not written again, as running tests may import them.
import { readFileSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { minifySync } from 'rolldown/utils'
import { packageFolders, replaceFiles } from './files.mjs'
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
/** Libraries that become chunks of the packages that use them, with their licences. */
const BUNDLED = ['zod', 'eventsource-parser']
const libraries = BUNDLED.map((name) => ({ name, test: new RegExp(`/node_modules/${name}/`) }))
/** Few files load faster than many small ones. The clients need none that imports zod. */
const sharedCode = [
  ['shared', /\/src\/shared\/(?!options)/],
  ['chain', /\/src\/toncenter\/(?:chain|errors|schema)\//],
  ['client', /\/src\/toncenter\/(?!v[23])/],
  ['engine', /\/src\/(?!toncenter\/)/],
].map(([name, test]) => ({ name, test, minShareCount: 2 }))

await Promise.all(packageFolders('packages').map(bundlePackage))

async function bundlePackage(folder) {
  const manifest = readJson(join(folder, 'package.json'))
  const { bin, exports, dependencies, peerDependencies } = manifest
  const formats = Object.groupBy(
    JSON.stringify([bin, exports]).matchAll(/dist\/(?<format>esm|cjs)\/(?<name>\w+)\.js/g),
    ({ groups }) => groups.format,
  )
  const external = Object.keys({ ...dependencies, ...peerDependencies })
    .filter((name) => name !== 'zod')
    .map((name) => new RegExp(`^${name}(/|$)`))
  for (const [format, entries] of Object.entries(formats)) {
    const names = entries.map(({ groups }) => groups.name)
    const code = await bundleCode(folder, format, names, [/^node:/, ...external])
    const declarations =
      formats.cjs === undefined ? [] : await declarationsOf(folder, format, names, manifest)
    replaceFiles(join(folder, 'dist', format), [...code, ...declarations])
  }
}

/**
 * Returns the declarations of a format. ES modules have the CommonJS ones, since the reverse is an error in some
 * modes of TypeScript. Nest 12 has ES modules alone, and the default export of a plugin for Fastify has another type in each
 * format, so their adapters have declarations for each format.
 */
async function declarationsOf(folder, format, names, { peerDependencies = {} }) {
  const isShared = !['@nestjs/common', 'fastify'].some((name) => name in peerDependencies)
  if (format === 'esm' && isShared) {
    return names.map((name) => [`${name}.d.ts`, `export * from '../cjs/${name}.js'\n`])
  }
  const declarations = await bundleDeclarations(folder, names)
  // The packages are "type": "module".
  return format === 'esm'
    ? declarations
    : [['package.json', '{ "type": "commonjs" }\n'], ...declarations]
}

async function bundleCode(folder, format, names, external) {
  const build = await rolldown({
    input: names.map((name) => `./src/${name}.ts`),
    external,
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
    codeSplitting: { groups: folder.endsWith('core') ? [...libraries, ...sharedCode] : libraries },
    comments: { jsdoc: false, legal: false },
  })
  await build.close()
  return output.map(({ name, fileName, code }) => [
    fileName,
    BUNDLED.includes(name) ? minifiedLibrary(name, fileName, code) : code,
  ])
}

function minifiedLibrary(name, fileName, code) {
  const notice = readFileSync(`packages/core/node_modules/${name}/LICENSE`, 'utf8')
  const minified = minifySync(fileName, code, { mangle: { toplevel: true } })
  return `/*\n${notice}*/\n${minified.code}\n`
}

async function bundleDeclarations(folder, names) {
  const build = await rolldown({
    input: names.map((name) => `./dist/types/${name}.d.ts`),
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
    cwd: resolve(folder),
    checks: { pluginTimings: false },
    // The generator is not used. The plugin would load the compiler, which has no API in version 7, without it.
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false, generator: 'oxc' })],
  })
  const { output } = await build.generate({ chunkFileNames: '[name].d.ts' })
  await build.close()
  return output.map(({ fileName, code }) => [fileName, `${code}\n`])
}
