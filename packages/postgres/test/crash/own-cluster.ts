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

/** A primary and a standby that confirms each commit. */
export interface ReplicatedCluster {
  /** The URLs of an empty database on both servers. */
  urls: { primary: string; standby: string }
  standbyPort: number
  /** Kills the primary, and promotes the standby. @returns when the primary had ended, milliseconds since the Unix epoch */
  losePrimary(): Promise<number>
  close(): Promise<void>
}

/** A server in a folder. */
interface Server {
  port: number
  data: string
  control: (...action: string[]) => Promise<void>
  start: () => Promise<void>
  restart: () => Promise<void>
}

export async function openCluster(): Promise<OwnCluster> {
  const { folder, run, serverIn } = await openFolder()
  const { port, data, control, start, restart } = await serverIn('data')
  await initialize(run, data)
  await start()
  const urlOf = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`
  let databases = 0
  return {
    async openDatabase() {
      const name = `shop_${++databases}`
      await createDatabase(run, port, name)
      const db = new pg.Pool({ connectionString: urlOf(name), max: 4 })
      // A restart closes connections; the next query opens a new one.
      db.on('error', () => undefined)
      return { db, url: urlOf(name), close: () => db.end() }
    },
    restart,
    async close() {
      await control('stop', '-m', 'immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Opens two servers with synchronous streaming replication. */
export async function openReplicatedCluster(): Promise<ReplicatedCluster> {
  const { folder, run, serverIn } = await openFolder()
  const primary = await serverIn('primary')
  const standby = await serverIn('standby')
  await initialize(run, primary.data)
  await primary.start()
  await createDatabase(run, primary.port, 'shop')
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres']
  await run('pg_basebackup', [...from, '-D', standby.data, '-R', '-X', 'stream', '-c', 'fast'])
  await standby.start()
  const ask = (sql: string): Promise<void> => run('psql', [...from, '-q', '-d', 'shop', '-c', sql])
  // After the copy, so that the standby does not wait for a standby when it is promoted.
  await ask(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
  await ask('SELECT pg_reload_conf()')
  const urlOf = ({ port }: Server): string => `postgres://postgres@127.0.0.1:${port}/shop`
  return {
    urls: { primary: urlOf(primary), standby: urlOf(standby) },
    standbyPort: standby.port,
    async losePrimary() {
      await primary.control('stop', '-m', 'immediate')
      const endedAtMs = Date.now()
      await standby.control('promote')
      return endedAtMs
    },
    async close() {
      for (const server of [primary, standby]) {
        await server.control('stop', '-m', 'immediate').catch(() => undefined)
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Run = (program: string, parameters: string[]) => Promise<void>

/** Makes a folder for servers. */
async function openFolder() {
  if (binaries === undefined || user === undefined) throw new Error(NEEDS_CLUSTER)
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-cluster-'))
  chownSync(folder, user.uid, user.gid)
  const run: Run = async (program, parameters) => {
    await promisify(execFile)(join(binaries, program), parameters, {
      uid: user.uid,
      gid: user.gid,
      cwd: folder,
    })
  }
  const serverIn = async (name: string): Promise<Server> => {
    const [port, data] = [await freePort(), join(folder, name)]
    const control = (...action: string[]): Promise<void> =>
      run('pg_ctl', ['-D', data, '-w', '-s', '-l', join(folder, `${name}.log`), ...action])
    // The machine keeps running, so unsynced data is not lost.
    const settings = `-h 127.0.0.1 -p ${port} -k ${folder} -c fsync=off`
    return {
      port,
      data,
      control,
      start: () => control('start', '-o', settings),
      restart: () => control('restart', '-m', 'immediate', '-o', settings),
    }
  }
  return { folder, run, serverIn }
}

function initialize(run: Run, data: string): Promise<void> {
  return run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
}

function createDatabase(run: Run, port: number, name: string): Promise<void> {
  return run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name])
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
