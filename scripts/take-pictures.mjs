// Takes the pictures of the docs from the pages in the browser tests. Look at each before you commit it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The pictures by the names that the tests give them. */
const PICTURES = {
  'checkout.png': 'examples/checkout/checkout.png',
  'checkout-waiting.png': 'docs/checkout-waiting.png',
  'checkout-detected.png': 'docs/checkout-detected.png',
  'checkout-paid.png': 'docs/checkout-paid.png',
  'tonplug-dev-chain-1280-light.png': 'docs/guide/tonplug-dev.png',
  'tonplug-dev-1280-light.png': 'docs/guide/tonplug-dev-gateway.png',
}
const TESTS = [
  'examples/checkout/test/browser/checkout.browser.test.ts',
  'packages/tonplug/test/browser',
]
const TITLES =
  'pictures of the docs|screenshots of the guide \\(1280, light|fits a width of 1280 \\(light'

const folder = mkdtempSync(join(tmpdir(), 'tonplug-pictures-'))
try {
  const args = ['run', '--project', 'browser', ...TESTS, '-t', TITLES]
  const env = { ...process.env, SCREENSHOTS: folder }
  const { status } = spawnSync('node_modules/.bin/vitest', args, { env, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  for (const [name, path] of Object.entries(PICTURES)) cpSync(join(folder, name), path)
} finally {
  rmSync(folder, { recursive: true })
}
