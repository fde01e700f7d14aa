import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../testdata/', import.meta.url)

/** Reads a file in `testdata`. @param path relative to it, for example `v3/traces.captured.json` */
export function readTestdata(path: string): string {
  return readFileSync(new URL(path, FOLDER), 'utf8')
}

/** Returns the file names of a folder in `testdata`. */
export function listTestdata(folder: 'v2' | 'v3' | 'responses'): string[] {
  return readdirSync(new URL(folder, FOLDER))
}
