// Compiles the result schemas of API v2 and API v3 into straight-line decoders, the first step of the build:
// packages/core/src/toncenter/{v2,v3}/generated/decoders.ts.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileDecoders } from './decoders/compile.mjs'
import { decodersModule } from './decoders/module.mjs'
import { loadCore } from './decoders/load-core.mjs'
import { nameReaders, nameSchemas } from './decoders/names.mjs'

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

const core = await loadCore()
try {
  for (const api of APIS) {
    const file = `packages/core/src/toncenter/${api.folder}/generated/decoders.ts`
    writeChanged(file, decodersModule(api, await compile(api)))
  }
} finally {
  core.remove()
}

async function compile({ folder, table, results, isShort, keyOf, readers }) {
  const endpoints = (await core.import(`toncenter/${folder}/endpoints/table.js`))[table]
  const schemas = (await core.import(`toncenter/${folder}/results.js`))[results]
  const pairs = Object.values(endpoints).map((endpoint) => [
    endpoint.name,
    schemas[keyOf(endpoint)],
  ])
  const { readEnum, readString } = await core.import('toncenter/schema/readers.js')
  const readersOf = async (from) => [
    from,
    await core.import(join('toncenter', folder, 'generated', from)),
  ]
  return compileDecoders(pairs, {
    isShort,
    readEnum,
    readString,
    names: nameSchemas(await core.importAll(`toncenter/${folder}/schemas`)),
    readers: nameReaders(await Promise.all(readers.map(readersOf))),
  })
}

/** Keeps the time of an unchanged file, so that an incremental build skips it. */
function writeChanged(file, source) {
  if (existsSync(file) && readFileSync(file, 'utf8') === source) return
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, source)
}
