import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'

const TIMEOUT_MS = 60_000
// Without the database of the tests, and with the programs of the workspace and of docs/.
const { DATABASE_URL: _, ...ENVIRONMENT } = process.env
const PATH = ['node_modules/.bin', 'docs/node_modules/.bin'].map((folder) => resolve(folder))
const env = { ...ENVIRONMENT, PATH: [...PATH, process.env['PATH']].join(':') }

/** A folder below docs/, whose dependencies pasted code may import. */
export interface Pasted {
  port: number
  /** Runs a command until it ends. Returns its output. */
  run(command: string): Promise<string>
  /** Starts a server, which is stopped after the test. Returns a function that returns the lines printed so far. */
  start(command: string): Promise<() => string[]>
}

/** Writes files into a new folder below docs/.check, with a free port instead of 3000. */
export async function paste(
  name: string,
  files: Record<string, string>,
  port?: number,
): Promise<Pasted> {
  const folder = join('docs/.check', name)
  port ??= await findPort()
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    const path = join(folder, file)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text.replaceAll('3000', String(port)))
  }
  return {
    port,
    run: async (command) => {
      const options = { cwd: folder, env, timeout: TIMEOUT_MS }
      return (await promisify(execFile)('bash', ['-ec', command], options)).stdout
    },
    start: async (command) => {
      const server = spawn('bash', ['-c', `exec env ${command}`], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      onTestFinished(async () => {
        if (server.exitCode === null && server.kill()) await once(server, 'exit')
      })
      let printed = ''
      server.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
      const connect = () => fetch(`http://localhost:${port}/`).catch(() => undefined)
      await expect.poll(connect, { timeout: TIMEOUT_MS }).toBeDefined()
      return () => printed.split('\n')
    },
  }
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  // The server listens on TCP, so its address is an object.
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
