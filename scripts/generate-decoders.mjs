// Compiles the result schemas of the APIs into straight-line decoders, the first step of the build:
// packages/core/src/toncenter/{v2,v3}/generated/decoders.ts.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compileDecoders } from './decoders/compile.mjs'
import { decodersModule } from './decoders/module.mjs'
import { nameReaders, nameSchemas } from './decoders/names.mjs'
import { writeChanged } from './files.mjs'
import { loadCore } from './load-core.mjs'

/** `keyOf` maps an endpoint to its key in the table `results`. The modules in `readers` export the functions that read single values. */
const APIS = [
  {
    folder: 'v2',
    table: 'v2Endpoints',
    results: 'v2Results',
    // Browsers load it.
    isShort: true,
    keyOf: ({ name }) => name,
    decoders: 'v2Decoders',
    names: 'V2EndpointName',
    readers: ['../../schema/readers.js', '../stack.js'],
  },
  {
    folder: 'v3',
    table: 'v3Endpoints',
    results: 'v3Results',
    isShort: false,
    keyOf: ({ path }) => path,
    decoders: 'v3Decoders',
    names: 'V3EndpointName',
    readers: ['../../schema/readers.js', '../stack.js'],
  },
]

for (const api of APIS) {
  const file = `packages/core/src/toncenter/${api.folder}/generated/decoders.ts`
  writeChanged(file, decodersModule(api, await compile(api)))
}

async function compile({ folder, table, results, isShort, keyOf, readers }) {
  const inFolder = (name) => join('toncenter', folder, name.replace(/\.js$/, '.ts'))
  const schemaFiles = readdirSync(join('packages/core/src', inFolder('schemas')))
  const [{ readString }, endpoints, schemas, ...others] = await loadCore(
    'toncenter/schema/readers.ts',
    inFolder('endpoints/table.ts'),
    inFolder('results.ts'),
    ...readers.map((from) => inFolder(join('generated', from))),
    ...schemaFiles
      .filter((file) => file.endsWith('.ts'))
      .map((file) => inFolder(`schemas/${file}`)),
  )
  const pairs = Object.values(endpoints[table]).map((endpoint) => [
    endpoint.name,
    schemas[results][keyOf(endpoint)],
  ])
  return compileDecoders(pairs, {
    isShort,
    readString,
    names: nameSchemas(others.slice(readers.length)),
    readers: nameReaders(readers.map((from, index) => [from, others[index]])),
  })
}
