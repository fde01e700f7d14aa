// Packs the packages as they are published.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolders } from './files.mjs'

const PACK = ['--reporter=silent', '-r', '--filter', './packages/*', 'pack', '--pack-destination']

/**
 * Packs every package into `folder`, which it creates, and unpacks each archive beside it.
 * @returns for each package `{ name, folder, archive, unpacked }`; the last three are paths
 */
export function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  execFileSync('pnpm', [...PACK, folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  return packageFolders('packages').map((source) => {
    const { name, version } = readJson(join(source, 'package.json'))
    const archiveName = `${name.replace('@', '').replace('/', '-')}-${version}`
    const archive = join(folder, `${archiveName}.tgz`)
    const target = join(folder, archiveName)
    mkdirSync(target)
    execFileSync('tar', ['xzf', archive, '-C', target])
    return { name, folder: source, archive, unpacked: join(target, 'package') }
  })
}

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'))
}
