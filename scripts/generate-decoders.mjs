// Writes packages/core/src/{v2,v3}/decoders.generated.ts: for each endpoint straight-line code that checks and converts a
// result, compiled from its schema. With --check it compares instead, and fails when the file is not what this script
// makes. Needs no build, since the build needs what it writes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { compileDecoders } from './decoders/compile.mjs'
import { decodersModule } from './decoders/module.mjs'
import { loadCore } from './decoders/load-core.mjs'
import { nameReaders, nameSchemas } from './decoders/names.mjs'

/** The table `results` has the schemas by the keys that `keyOf` tells. The modules in `readers` export what reads the words of the schemas. */
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
    readers: ['../schema/readers.js', './stack-decode.js'],
  },
  {
    folder: 'v3',
    table: 'v3Endpoints',
    results: 'v3Results',
    isShort: false,
    keyOf: ({ path }) => path,
    decoders: 'v3Decoders',
    names: 'V3EndpointName',
    readers: ['../schema/readers.js', './read-opcode.js', './stack.js'],
  },
]

const core = await loadCore()
try {
  for (const api of APIS) {
    const file = `packages/core/src/${api.folder}/decoders.generated.ts`
    await writeOrCompare(file, decodersModule(api, await compile(api)))
  }
} finally {
  core.remove()
}

async function compile({ folder, table, results, isShort, keyOf, readers }) {
  const endpoints = (await core.import(`${folder}/endpoints/table.js`))[table]
  const schemas = (await core.import(`${folder}/results.js`))[results]
  const pairs = Object.values(endpoints).map((endpoint) => [
    endpoint.name,
    schemas[keyOf(endpoint)],
  ])
  const { partsOf } = await core.import('schema/parts.js')
  const { readEnum, readText } = await core.import('schema/readers.js')
  const readersOf = async (from) => [from, await core.import(join(folder, from))]
  return compileDecoders(pairs, {
    isShort,
    partsOf,
    readEnum,
    readText,
    names: nameSchemas(await core.importAll(`${folder}/schemas`)),
    readers: nameReaders(await Promise.all(readers.map(readersOf))),
  })
}

async function writeOrCompare(file, source) {
  const options = { ...(await resolveConfig('.prettierrc.json')), parser: 'typescript' }
  const text = await format(source, options)
  if (!process.argv.includes('--check')) return writeFileSync(file, text)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  console.error(`${file} is stale: run pnpm generate:decoders`)
  process.exitCode = 1
}
