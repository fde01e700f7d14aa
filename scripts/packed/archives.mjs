// Packs the packages as they are published.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageFolders } from '../files.mjs'

const PACK = ['--reporter=silent', '-r', '--filter', './packages/*', 'pack', '--pack-destination']

/**
 * Packs every package into `folder`, which it makes, and unpacks each beside its archive.
 * @returns for each package `{ name, folder, archive, unpacked }`, the last three being paths
 */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  execFileSync('pnpm', [...PACK, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return packageFolders('packages').map((source) => {
    const { name, version } = readJson(join(source, 'package.json'))
    const file = `${name.replace('@', '').replace('/', '-')}-${version}`
    const archive = join(folder, `${file}.tgz`)
    const own = join(folder, file)
    mkdirSync(own)
    execFileSync('tar', ['xzf', archive, '-C', own])
    return { name, folder: source, archive, unpacked: join(own, 'package') }
  })
}

/** Reads a file of JSON. */
export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}

/** The paths of all files below `folder`, relative to it. */
export function everyFileBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
