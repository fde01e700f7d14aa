import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express, { Router, type RequestHandler } from 'express'
import type { ShopSettings } from './shop.js'

/** A wallet of public/wallets.json, in the format of TON Connect. */
interface Wallet {
  image: string
  bridge: { url?: string }[]
}

/** The icons of TON Connect UI itself. */
const UI_ICONS = 'https://raw.githubusercontent.com'

const { resolve } = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../public', import.meta.url))
// The file of this example.
const wallets = JSON.parse(readFileSync(`${folder}/wallets.json`, 'utf8')) as Wallet[]

/** Serves the checkout page. All its files are local; TON Connect contacts the wallets of public/wallets.json. */
export function checkoutPage({
  prices,
  isSimulated,
}: Pick<ShopSettings, 'prices' | 'isSimulated'>): Router {
  const router = Router()
  router.use(securityHeaders())
  router.use(express.static(folder))
  router.get('/vendor/qr.js', sendFile(resolve('qr')))
  router.get('/vendor/tonconnect-ui.js', sendFile(tonConnectFile()))
  const requests = fileURLToPath(import.meta.resolve('@tonplug/core/checkout'))
  router.get('/vendor/wallet-requests.js', sendFile(requests))
  router.get('/offer', (_request, response) => {
    const offered = Array.from(prices, ([coin, { amount }]) => ({ coin, amount }))
    response.json({ prices: offered, isSimulated })
  })
  // Wallet apps read the name and the icon of the shop from here.
  router.get('/tonconnect-manifest.json', ({ protocol, host }, response) => {
    const url = `${protocol}://${host}`
    response.json({ url, name: 'Harbour Goods', iconUrl: `${url}/icon.png` })
  })
  return router
}

function sendFile(path: string): RequestHandler {
  // Package managers install into folders that begin with a dot.
  return (_request, response) => response.sendFile(path, { dotfiles: 'allow' })
}

/** Returns the bundle of TON Connect UI for browsers, which its package does not export. */
function tonConnectFile(): string {
  return resolve('@tonconnect/ui').replace(/lib[\\/]index\.cjs$/, 'dist/tonconnect-ui.min.js')
}

/** No inline scripts, and no other origins besides the bridges and icons of the wallets. */
function securityHeaders(): RequestHandler {
  const bridges = wallets.flatMap(({ bridge }) => bridge.flatMap(({ url = [] }) => url))
  const policy = {
    'default-src': ["'self'"],
    // TON Connect UI adds its styles to the page.
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...originsOf([UI_ICONS, ...wallets.map(({ image }) => image)])],
    'connect-src': ["'self'", ...originsOf(bridges)],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'none'"],
  }
  const directives = Object.entries(policy).map(([name, values]) => `${name} ${values.join(' ')}`)
  const headers = {
    'content-security-policy': directives.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  return (_request, response, next) => {
    response.set(headers)
    next()
  }
}

function originsOf(urls: readonly string[]): string[] {
  return [...new Set(urls.map((url) => new URL(url).origin))]
}
