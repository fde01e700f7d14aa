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

/** Starts a PgBouncer until the test ends. @returns the URL of the database behind it. */
export async function startPgBouncer(
  databaseUrl: string,
  { poolMode = 'transaction' }: { poolMode?: 'transaction' | 'statement' } = {},
): Promise<string> {
  if (PROGRAM === undefined) throw new Error(NEEDS_PGBOUNCER)
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'tonplug-pgbouncer-'))
  const ownPort = await freePort()
  const name = pathname.slice(1)
  const server = `host=${hostname} port=${port || 5432} dbname=${name} user=${username}`
  const settings = [
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
    'unix_socket_dir =',
  ]
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings.join('\n'))
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
  return url
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
      if (attempt === 100) throw error
      await sleep(100)
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
