import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { canonicalAsset } from '@tonplug/core'
import express, { Router, type RequestHandler } from 'express'
import type { ShopSettings } from './shop.js'
import { fillPage, LANGUAGES, readTexts, type Language } from './texts.js'

/** A wallet of public/wallets.json, in the format of TON Connect. */
interface Wallet {
  image: string
  bridge: { url?: string }[]
}

/** The icons of TON Connect UI itself. */
const UI_ICONS = 'https://raw.githubusercontent.com'
/** Where buyers write to. */
const CONTACT = 'help@harbour-goods.example'

const { resolve } = createRequire(import.meta.url)
const folder = fileURLToPath(new URL('../public', import.meta.url))
const template = readFileSync(new URL('../views/checkout.html', import.meta.url), 'utf8')
// The file of this example.
const wallets = JSON.parse(readFileSync(`${folder}/wallets.json`, 'utf8')) as Wallet[]

type PageSettings = Pick<ShopSettings, 'coins' | 'pricing' | 'isSimulated'>

/** Serves the checkout page. All its files are local; TON Connect contacts the wallets of public/wallets.json. */
export function checkoutPage(settings: PageSettings): Router {
  const router = Router()
  router.use(securityHeaders())
  const pages = new Map<string, string>(
    LANGUAGES.map((language) => [language, pageIn(language, settings)]),
  )
  router.get('/', (request, response) => {
    // The browser states the languages of its user, with weights.
    const language = request.acceptsLanguages(...LANGUAGES) || LANGUAGES[0]
    response.vary('accept-language').set('content-language', language)
    response.type('html').send(pages.get(language))
  })
  router.use(express.static(folder))
  router.get('/vendor/qr.js', sendFile(resolve('qr')))
  router.get('/vendor/tonconnect-ui.js', sendFile(tonConnectFile()))
  const requests = fileURLToPath(import.meta.resolve('@tonplug/core/checkout'))
  router.get('/vendor/wallet-requests.js', sendFile(requests))
  // Wallet apps read the name and the icon of the shop from here.
  router.get('/tonconnect-manifest.json', ({ protocol, host }, response) => {
    const url = `${protocol}://${host}`
    response.json({ url, name: 'Harbour Goods', iconUrl: `${url}/icon.png` })
  })
  return router
}

/** Returns the page in a language, with what its scripts need. */
function pageIn(language: Language, { coins, pricing, isSimulated }: PageSettings): string {
  const texts = readTexts(language)
  const { price, currency } = pricing
  const style = { style: 'currency', currency } as const
  const assets = coins.map((coin) => ({ ...coin, asset: canonicalAsset(coin.asset) }))
  return fillPage(template, {
    ...texts,
    language,
    priceText: new Intl.NumberFormat(language, style).format(Number(price)),
    email: CONTACT,
    data: JSON.stringify({ texts, coins: assets, isSimulated, contact: CONTACT }),
  })
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
