// Has the compiler compare the types that the pages show with those of the client.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Below docs/, whose dev dependencies have the packages.
const FOLDER = 'docs/.check/reference'

/**
 * @param api the API
 * @param endpoints its endpoints
 * @param types its types that have pages of their own
 * @returns whether every page shows the types as they are; the compiler's words are printed.
 */
export function proveTypes(api, { endpoints, types }) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const endpoint of endpoints) {
    writeFileSync(join(FOLDER, `${endpoint.name}.ts`), endpointComparison(api, endpoint))
  }
  for (const type of types) writeFileSync(join(FOLDER, `${type.name}.ts`), typeComparison(type))
  const config = {
    extends: '../../../tsconfig.base.json',
    compilerOptions: { composite: false, noEmit: true },
    include: ['*.ts'],
  }
  writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config))
  try {
    const tsc = 'node_modules/typescript/bin/tsc'
    execFileSync(process.execPath, [tsc, '-p', FOLDER], { stdio: 'inherit' })
    return true
  } catch {
    return false
  } finally {
    rmSync(FOLDER, { recursive: true, force: true })
  }
}

const RELATIONS = `
type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Alike<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
type Proof<_True extends true> = never
`

/** An intersection is another type to the compiler than the object that it comes to. */
function relationOf(declarations) {
  return /\} & [({]/.test(declarations) ? 'Alike' : 'Same'
}

function endpointComparison({ title }, { name, params, declarations, typeName }) {
  const prefix = title.replace('API v', 'V')
  return `
import type {
  ActionType, AddressLike, BigintLike, BocLike, HashLike, OpcodeLike, StackArgument, TimeLike,
  V3StackArgument, ${prefix}Parameters, ${prefix}Result,
} from '@tonplug/core'
${declarations}
${RELATIONS}
type Parameters = ${parametersType(params)}

export type Proofs = [
  Proof<${relationOf(declarations)}<${typeName}, ${prefix}Result<'${name}'>>>,
  Proof<Same<Parameters, ${prefix}Parameters<'${name}'>>>,
]
`
}

function typeComparison({ name, declarations }) {
  return `
import type { ${name} as Exported } from '@tonplug/core'
${declarations}
${RELATIONS}
export type Proofs = [Proof<Alike<${name}, Exported>>]
`
}

function parametersType(params) {
  if (params.length === 0) return 'Record<string, never>'
  const fields = params.map(({ name, type, isRequired }) =>
    isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`,
  )
  return `{ ${fields.join('; ')} }`
}
