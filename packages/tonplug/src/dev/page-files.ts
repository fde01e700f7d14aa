import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'

const FOLDER = new URL('../page/', import.meta.url)
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** A file of the page. */
export interface PageFile {
  type: string
  content: Buffer
}

/** Returns the files of the page by path. */
export function readPageFiles(): Map<string, PageFile> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).flatMap(
    (name): [string, PageFile][] => {
      const type = TYPES[extname(name)]
      const path = name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`
      return type === undefined
        ? []
        : [[path, { type, content: readFileSync(new URL(name, FOLDER)) }]]
    },
  )
  return new Map(files)
}
