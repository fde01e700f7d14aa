import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { fileURLToPath } from 'node:url'
import { readSettings } from './settings.js'
import { createShop } from './shop.js'

const envFile = fileURLToPath(new URL('../.env', import.meta.url))
if (existsSync(envFile)) loadEnvFile(envFile)

try {
  const settings = readSettings(process.env)
  const shop = await createShop(settings)
  // SIGTERM and SIGINT: answer 503, wait for handlers that are running, end the live pages, close the server.
  shop.enableShutdownHooks()
  await shop.listen(settings.port, '127.0.0.1')
  console.log(`The shop is open at ${await shop.getUrl()}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
