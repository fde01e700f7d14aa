import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigurationError } from '@tonplug/core'
import { errorCode } from './error-code.js'

const ATTEMPTS = 10

/** Folders that this process has locked. */
const locked = new Set<string>()

/**
 * Locks a folder of PGlite for this process, by a file in it with the id of the process. The lock of a process that no longer
 * runs is taken over.
 * @returns a function that releases the lock; it is also released when the process exits.
 * @throws {ConfigurationError} when another process, or this one, has locked the folder.
 */
export function lockFolder(folder: string): () => void {
  const path = resolve(folder)
  const file = join(path, 'tonplug.lock')
  if (locked.has(path)) throw inUse(path, 'this process', 'Use the database that is already open')
  mkdirSync(path, { recursive: true })
  for (let attempt = 1; !create(file); attempt++) {
    const holder = readHolder(file)
    if (holder === undefined) continue
    if (isRunning(holder) || attempt === ATTEMPTS) {
      const name = holder === 0 ? 'another process' : `process ${holder}`
      throw inUse(path, name, remedy(file))
    }
    removeStale(file, holder)
  }
  locked.add(path)
  const release = (): void => {
    if (!locked.delete(path)) return
    process.off('exit', release)
    rmSync(file, { force: true })
  }
  process.once('exit', release)
  return release
}

/** Creates the file unless it exists. */
function create(file: string): boolean {
  return unless('EEXIST', () => writeFileSync(file, String(process.pid), { flag: 'wx' }))
}

/** Returns the id of the process that holds the lock, 0 when it is not readable, `undefined` without a lock. */
function readHolder(file: string): number | undefined {
  let text = ''
  const exists = unless('ENOENT', () => (text = readFileSync(file, 'utf8')))
  return exists ? Number.parseInt(text, 10) || 0 : undefined
}

/** Removes the lock of a process that has ended, unless another process has replaced it. */
function removeStale(file: string, holder: number): void {
  const removed = `${file}.${process.pid}`
  if (!unless('ENOENT', () => renameSync(file, removed))) return
  if (readHolder(removed) === holder) rmSync(removed)
  else renameSync(removed, file)
}

/** Returns false when `work` throws an error with this code. */
function unless(code: string, work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (errorCode(error) === code) return false
    throw error
  }
}

/** In a container a restarted process often has the id of the previous one. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  // An unreadable lock is being written by its process, or was cut short.
  if (pid === 0) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function inUse(path: string, holder: string, remedy: string): ConfigurationError {
  const problem = `${path} is in use by ${holder}, and PGlite serves one process at a time. ${remedy}`
  return new ConfigurationError({ option: 'folder', problem })
}

function remedy(file: string): string {
  return `Stop the other process, set DATABASE_URL to use PostgreSQL, or choose another folder. If no process uses it, delete ${file}`
}
