// Servers that were pasted from the documentation: where they listen, and what they print.
import { once } from 'node:events'
import { createServer } from 'node:net'

export const PATIENCE_MS = 60_000

/** A port where nobody listens. */
export async function findPort() {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** Resolves when `shop`, a child process, listens. */
export async function listening(port, shop) {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end && shop.exitCode === null) {
    const answer = await fetch(`http://localhost:${port}/`).catch(() => undefined)
    if (answer !== undefined) return
    await pause()
  }
  throw new Error(`the shop does not listen on port ${port}`)
}

/** The lines of what `read` returns, as soon as one of them is wanted. */
export async function linesOnceThere(read, isWanted) {
  const end = Date.now() + PATIENCE_MS
  while (Date.now() < end && !read().split('\n').some(isWanted)) await pause()
  return read().split('\n')
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 100))
}
