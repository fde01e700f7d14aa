import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Page } from 'playwright-core'

/** The folder of the built site. */
export const SITE = join(import.meta.dirname, '../../.vitepress/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

export interface SiteServer {
  origin: string
  close(): void
}

/** Serves the built site on a free port. */
export async function serveSite(): Promise<SiteServer> {
  if (!existsSync(join(SITE, 'index.html'))) throw new Error('Run pnpm docs:build first')
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(SITE, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
    if (!existsSync(file)) return void response.writeHead(404).end()
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream')
    createReadStream(file).pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The server listens on TCP, so its address is not a path.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Goes to a page of the site, and waits for its scripts, which load after it: a button does nothing before. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.waitForFunction('document.querySelector("#app").__vue_app__ !== undefined')
}
