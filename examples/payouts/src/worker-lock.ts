import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Thrown when another process on this machine uses the same database. */
class WorkerLockedError extends Error {
  override readonly name = 'WorkerLockedError'

  constructor(dataDir: string) {
    super(
      `Another worker runs with DATA_DIR ${dataDir}; stop it first, or use another folder and wallet`,
    )
  }
}

/**
 * Locks a folder against other workers on this machine until this process ends. The lock is the name of a socket, which the
 * operating system releases even if the process is killed; a file with a process id would remain.
 * @throws {WorkerLockedError} when another worker holds the lock.
 */
export async function acquireWorkerLock(dataDir: string): Promise<void> {
  const name = socketName(dataDir)
  if (process.platform !== 'linux' && process.platform !== 'win32') await removeStaleSocket(name)
  const server = createServer((socket) => socket.destroy())
  // It must not keep the process alive.
  server.unref()
  server.listen(name)
  try {
    await once(server, 'listening')
  } catch (error) {
    if (codeOf(error) === 'EADDRINUSE') throw new WorkerLockedError(dataDir)
    throw error
  }
}

/** Returns an abstract socket on Linux, a named pipe on Windows, and a file elsewhere. */
function socketName(dataDir: string): string {
  const hash = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 32)
  const name = `tonplug-payouts-${hash}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), name)
}

/** Removes the file of a killed process: connections to it are refused. */
async function removeStaleSocket(path: string): Promise<void> {
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
