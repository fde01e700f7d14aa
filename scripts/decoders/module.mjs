// Writes the module of an API's decoders.

const PARTS = [
  'checkObject',
  'checkOptional',
  'fieldsOf',
  'isNullOr',
  'isNullOrList',
  'orAbsent',
  'orEmptyAbsent',
  'orUnread',
  'passUnknown',
  'readLenient',
  'readList',
  'readMap',
  'readOptional',
  'readTagged',
  'readTree',
]

/** @param compiled what `compileDecoders` answers */
export function decodersModule({ decoders, names }, { entries, functions, imports }) {
  const table = entries.join('\n')
  const code = functions.join('\n\n')
  const parts = PARTS.filter((part) => `${table}\n${code}`.includes(`${part}(`))
  const types = ['Decoder', 'TaggedParts']
    .filter((type) => `Decoder ${code}`.includes(type))
    .map((type) => `type ${type}`)
  return `
// Made by scripts/generate-decoders.mjs from the schemas of the endpoints: change those, then run
// \`pnpm generate:decoders\`.
import { ${[...parts, ...types].join(', ')} } from '../schema/decoding.js'
${importLines(imports)}
import type { ${names} } from './endpoints/table.js'

/** For every endpoint what converts its result in place. */
export const ${decoders}: Readonly<Record<${names}, Decoder>> = {
${table}
}

${code}
`
}

function importLines(imports) {
  return [...imports]
    .toSorted(([one], [other]) => compare(one, other))
    .map(([from, names]) => `import { ${[...names].toSorted(compare).join(', ')} } from '${from}'`)
    .join('\n')
}

function compare(one, other) {
  return one < other ? -1 : 1
}
