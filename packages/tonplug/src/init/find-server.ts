import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createsExpressApp } from './edit-server.js'

const SOURCE = /\.(?:ts|mts|cts|js|mjs|cjs)$/
const NOT_SOURCE = /\.(?:test|spec|d)\.|^(?:node_modules|dist|build|coverage|tests?|__tests__)$|^\./
const MAX_DEPTH = 4

/** Returns the files of an app that create an Express app, relative to its folder. */
export function findExpressServers(folder: string): string[] {
  return sourceFiles(folder).filter((path) =>
    readFileSync(join(folder, path), 'utf8').split('\n').some(createsExpressApp),
  )
}

/** Returns the root module that `nest new` creates, if the app still has it there. */
export function findNestModules(folder: string): string[] {
  return ['src/app.module.ts', 'app.module.ts'].filter((path) => existsSync(join(folder, path)))
}

function sourceFiles(folder: string, below = '', depth = 0): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (NOT_SOURCE.test(entry.name)) return []
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    if (entry.isDirectory()) return depth < MAX_DEPTH ? sourceFiles(folder, path, depth + 1) : []
    return SOURCE.test(entry.name) ? [path] : []
  })
}
