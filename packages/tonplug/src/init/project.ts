import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../failure.js'

export type Framework = 'express' | 'nest'
type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** Facts about the app that `tonplug init` extends. */
export interface Project {
  folder: string
  framework: Framework
  packageManager: PackageManager
  language: 'ts' | 'js'
  /** True when the files of the app are ES modules. */
  isModule: boolean
  testRunner: 'vitest' | 'jest' | 'node-test'
  /** The names of all packages that package.json lists. */
  dependencies: ReadonlySet<string>
}

const LOCKFILES: Record<string, PackageManager> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
}

/**
 * Reads the package.json and the lockfile of an app.
 * @throws {UsageError} without a package.json, when the framework is ambiguous, and for Nest without TypeScript.
 */
export function readProject(folder: string, chosen: Framework | undefined): Project {
  const { type, dependencies } = readManifest(folder)
  const framework = chosen ?? detectFramework(dependencies)
  const language =
    dependencies.has('typescript') || existsSync(join(folder, 'tsconfig.json')) ? 'ts' : 'js'
  if (framework === 'nest' && language === 'js') {
    throw new UsageError(
      'init supports Nest apps in TypeScript; received one without tsconfig.json',
    )
  }
  return {
    folder,
    framework,
    packageManager: detectPackageManager(folder),
    language,
    isModule: type === 'module',
    testRunner: detectTestRunner({ framework, language, dependencies }),
    dependencies,
  }
}

function readManifest(folder: string): { type: unknown; dependencies: Set<string> } {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) {
    throw new UsageError(`${folder} has no package.json; run init in the folder of your app`)
  }
  try {
    // Every field is optional, and of any type.
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, object | undefined>
    const listed = { ...manifest['dependencies'], ...manifest['devDependencies'] }
    return { type: manifest['type'], dependencies: new Set(Object.keys(listed)) }
  } catch (cause) {
    throw new UsageError(`${path} is not valid JSON`, { cause })
  }
}

function detectFramework(dependencies: ReadonlySet<string>): Framework {
  const hasNest = dependencies.has('@nestjs/core')
  const hasExpress = dependencies.has('express')
  if (hasNest !== hasExpress) return hasNest ? 'nest' : 'express'
  const found = hasNest ? 'both express and @nestjs/core' : 'neither express nor @nestjs/core'
  throw new UsageError(
    `package.json lists ${found}; choose with --framework express or --framework nest`,
  )
}

/** Looks for a lockfile in the folder and above it, where a workspace has its own. */
function detectPackageManager(folder: string): PackageManager {
  for (let place = folder; ; place = dirname(place)) {
    const found = Object.entries(LOCKFILES).find(([file]) => existsSync(join(place, file)))
    if (found !== undefined) return found[1]
    if (place === dirname(place)) return 'npm'
  }
}

/** Nest apps use Jest by default; TypeScript without a test framework needs one that compiles it. */
function detectTestRunner({
  framework,
  language,
  dependencies,
}: Pick<Project, 'framework' | 'language' | 'dependencies'>): Project['testRunner'] {
  if (dependencies.has('vitest')) return 'vitest'
  if (dependencies.has('jest') || framework === 'nest') return 'jest'
  return language === 'ts' ? 'vitest' : 'node-test'
}
