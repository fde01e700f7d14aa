import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Another process of this machine pays from the same books. Two of them would not see what the other one has paid. */
class WorkerRunsError extends Error {
  override readonly name = 'WorkerRunsError'

  constructor(dataDir: string) {
    super(
      `Another worker runs with DATA_DIR ${dataDir}; stop it first, or give this one a folder and a wallet of its own`,
    )
  }
}

/**
 * Keeps other workers of this machine away from a folder for as long as this process runs. The name of a socket belongs
 * to one process, and is free as soon as that has ended, however it did: a file with a process id would outlive it.
 * @throws {WorkerRunsError} when another worker has the folder.
 */
export async function keepOthersAway(dataDir: string): Promise<void> {
  const name = socketName(dataDir)
  if (process.platform !== 'linux' && process.platform !== 'win32') await removeLeftOver(name)
  const server = createServer((socket) => socket.destroy())
  // It is no reason to go on.
  server.unref()
  server.listen(name)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new WorkerRunsError(dataDir)
    throw error
  }
}

/** On Linux one without a file, on Windows a pipe. */
function socketName(dataDir: string): string {
  const hash = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32)
  const name = `tonplug-payouts-${hash}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

/** Elsewhere the file of a socket outlives a process that was killed: nobody answers there. */
async function removeLeftOver(path: string): Promise<void> {
  const socket = connect(path)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if (codeOf(error) === 'ECONNREFUSED') await rm(path, { force: true })
  } finally {
    socket.destroy()
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
