import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { ConfigurationError } from '@tonplug/core'
import { respond } from './responses.js'

/**
 * Returns the folder with the built files of the pages. Both formats of the package are folders of `dist`. In a CommonJS
 * bundle of the ES modules, `import.meta` is an empty object.
 */
function builtFolder(): string | undefined {
  const folder: string | undefined = import.meta.dirname
  return folder === undefined ? undefined : join(folder, '../ui')
}

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** Part of the desk's page alone. */
const MARK = '<title>tonplug desk</title>'
/** Files keep their names from one version to the next. */
const REVALIDATED = { 'cache-control': 'private, no-cache' }

/** The files of the pages. */
export interface Pages {
  /** @param connectTo other origins that the page may connect to */
  index(connectTo?: readonly string[]): Response
  /** @returns `undefined` for an unknown file. */
  asset(name: string): Response | undefined
}

/** Reads the built pages. @throws {ConfigurationError} when they are missing. */
export function readPages(folder = builtFolder()): Pages {
  const index = folder === undefined ? undefined : read(join(folder, 'index.html'))
  // A bundle may be beside the pages of the app.
  if (folder === undefined || index === undefined || !Buffer.from(index).includes(MARK)) {
    const expected = folder === undefined ? '' : `: expected ${join(folder, 'index.html')}`
    const problem = `the desk's pages are missing${expected}. Reinstall @tonplug/desk, and do not bundle it, since it reads files beside its own: declare it as external in your bundler`
    throw new ConfigurationError({ option: 'pages', problem })
  }
  const names = readdirSync(join(folder, 'assets'))
  const assets = new Map(
    names.flatMap((name): [string, Uint8Array<ArrayBuffer>][] => {
      const bytes = read(join(folder, 'assets', name))
      return bytes === undefined ? [] : [[name, bytes]]
    }),
  )
  return {
    index: (connectTo) =>
      respond(200, { body: index, type: TYPES['.html'], headers: REVALIDATED, connectTo }),
    asset(name) {
      const body = assets.get(name)
      if (body === undefined) return undefined
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      return respond(200, { body, type, headers: REVALIDATED })
    },
  }
}

function read(file: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    return undefined
  }
}

/**
 * The path that the browser has is not known behind a proxy that rewrites it, so no `Location` can be correct. With the
 * origin, a path that begins with two slashes names no other host.
 */
const ADD_SLASH =
  "if (!location.pathname.endsWith('/')) location.replace(location.origin + location.pathname + '/' + location.search + location.hash)"
const SCRIPT_HASH = `sha256-${createHash('sha256').update(ADD_SLASH).digest('base64')}`

/** Returns a page that moves the browser to the same path with a slash at its end, from which relative URLs are correct. */
export function redirectToFolder(): Response {
  const body = `<!doctype html><meta charset="utf-8"><title>Payments</title><script>${ADD_SLASH}</script><noscript>Add a slash to the end of the address.</noscript>`
  return respond(200, { body, type: TYPES['.html'], scriptHash: SCRIPT_HASH })
}
