import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { freePort } from './free-port.js'

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (program) => spawnSync(program, ['--version']).status === 0,
)

/** True when PgBouncer is installed. */
export const hasPgBouncer = PROGRAM !== undefined

/** For titles: the reason why tests behind a pooler are skipped. */
export const NEEDS_PGBOUNCER = hasPgBouncer
  ? 'PgBouncer'
  : 'PgBouncer (skipped: it is not installed)'

interface PoolerOptions {
  poolMode?: 'transaction' | 'statement' | undefined
}

/** A PgBouncer. */
export interface PgBouncer {
  /** The URL of the database behind it. */
  url: string
  /** Connects it with the same database of another server. */
  pointTo(databaseUrl: string): void
}

/** Starts a PgBouncer until the test ends. @returns the URL of the database behind it. */
export async function startPgBouncer(
  databaseUrl: string,
  options: PoolerOptions = {},
): Promise<string> {
  return (await openPgBouncer(databaseUrl, options)).url
}

/** Starts a PgBouncer until the test ends. */
export async function openPgBouncer(
  databaseUrl: string,
  { poolMode = 'transaction' }: PoolerOptions = {},
): Promise<PgBouncer> {
  if (PROGRAM === undefined) throw new Error(NEEDS_PGBOUNCER)
  const { username, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-pgbouncer-'))
  const ownPort = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const write = (target: string): void =>
    writeFileSync(file, settingsOf(target, { ownPort, poolMode }).join('\n'))
  write(databaseUrl)
  const user = ownUser()
  if (user !== undefined) {
    chmodSync(folder, 0o755)
    chownSync(file, user.uid, user.gid)
  }
  const pooler = spawn(PROGRAM, [file], { stdio: 'ignore', ...user })
  onTestFinished(async () => {
    pooler.kill('SIGKILL')
    if (pooler.exitCode === null && pooler.signalCode === null) await once(pooler, 'exit')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://${username}@127.0.0.1:${ownPort}/${name}`
  await untilReachable(url)
  return {
    url,
    pointTo(target) {
      write(target)
      pooler.kill('SIGHUP')
    },
  }
}

function settingsOf(
  databaseUrl: string,
  { ownPort, poolMode }: { ownPort: number; poolMode: string },
): string[] {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const server = `host=${hostname} port=${port || 5432} dbname=${name} user=${username}`
  return [
    '[databases]',
    `${name} = ${server}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'auth_type = any',
    `pool_mode = ${poolMode}`,
    'default_pool_size = 3',
    // Gives consecutive transactions of one client different connections.
    'server_round_robin = 1',
    // By default a server that was down is tried again after 15 s.
    'server_login_retry = 1',
    'unix_socket_dir =',
  ]
}

/** PgBouncer does not run as root. */
function ownUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function untilReachable(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT 1')
      return
    } catch (error) {
      if (attempt === 600) throw error
      await sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
