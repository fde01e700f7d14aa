// Has the compiler compare the types that the pages show with those of the client.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Below docs/, whose dev dependencies have the packages.
const FOLDER = 'docs/.check/reference'

/** @returns whether every page shows the types as they are; the compiler's words are printed. */
export function proveTypes(endpoints) {
  rmSync(FOLDER, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  for (const endpoint of endpoints) {
    writeFileSync(join(FOLDER, `${endpoint.name}.ts`), comparison(endpoint))
  }
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

function comparison({ name, params, declarations, typeName }) {
  return `
import type {
  AddressLike, BigintLike, BocLike, HashLike, StackArgument, StackItem, TimeLike, V2Parameters, V2Result,
} from '@tonplug/core'

type Same<One, Other> =
  (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Proof<_Same extends true> = never

${declarations}
type Parameters = ${parametersType(params)}

export type Proofs = [
  Proof<Same<${typeName}, V2Result<'${name}'>>>,
  Proof<Same<Parameters, V2Parameters<'${name}'>>>,
]
`
}

function parametersType(params) {
  if (params.length === 0) return 'Record<string, never>'
  const fields = params.map(({ name, type, isRequired }) =>
    isRequired ? `${name}: ${type}` : `${name}?: ${type} | undefined`,
  )
  return `{ ${fields.join('; ')} }`
}
