import { execFile, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@tonplug/test-support/free-port'
import pg from 'pg'

const INSTALLED_BELOW = '/usr/lib/postgresql'

/** A PostgreSQL server that only one file of tests uses, and may stop. */
export interface OwnCluster {
  openDatabase(): Promise<{ db: pg.Pool; url: string; close: () => Promise<void> }>
  /** Kills every process of it, and starts it again. */
  restart(): Promise<void>
  close(): Promise<void>
}

const binaries = findBinaries()
const user = findUser()

/** True when a cluster can be created. */
export const canMakeCluster = binaries !== undefined && user !== undefined

/** For titles: why tests that restart PostgreSQL are skipped. */
export const NEEDS_CLUSTER = canMakeCluster
  ? 'a PostgreSQL of its own'
  : 'a PostgreSQL of its own (skipped: initdb is missing, or root has no user postgres to run it)'

export async function openCluster(): Promise<OwnCluster> {
  if (binaries === undefined || user === undefined) throw new Error(NEEDS_CLUSTER)
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-cluster-'))
  chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const run = async (program: string, parameters: string[]): Promise<void> => {
    await promisify(execFile)(join(binaries, program), parameters, {
      uid: user.uid,
      gid: user.gid,
      cwd: folder,
    })
  }
  await run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  const port = await freePort()
  // The machine keeps running, so unsynced data is not lost.
  const settings = `-h 127.0.0.1 -p ${port} -k ${folder} -c fsync=off`
  const log = join(folder, 'log')
  const control = (...action: string[]): Promise<void> =>
    run('pg_ctl', ['-D', data, '-w', '-s', '-l', log, ...action])
  await control('start', '-o', settings)
  const urlOf = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`
  let databases = 0
  return {
    async openDatabase() {
      const name = `shop_${++databases}`
      await run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name])
      const db = new pg.Pool({ connectionString: urlOf(name), max: 4 })
      // A restart closes connections; the next query opens a new one.
      db.on('error', () => undefined)
      return { db, url: urlOf(name), close: () => db.end() }
    },
    restart: () => control('restart', '-m', 'immediate', '-o', settings),
    async close() {
      await control('stop', '-m', 'immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Returns the folder of initdb, of the newest version. */
function findBinaries(): string | undefined {
  const versions = existsSync(INSTALLED_BELOW) ? readdirSync(INSTALLED_BELOW) : []
  return versions
    .toSorted((one, other) => Number(other) - Number(one))
    .map((version) => join(INSTALLED_BELOW, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')))
}

/** PostgreSQL does not run as root. */
function findUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return userInfo()
  try {
    const id = (option: string): number =>
      Number(execFileSync('id', [option, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}
