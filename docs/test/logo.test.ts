import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('shows the same logo on the site, in the desk and in tonplug dev', () => {
  const logo = readFileSync('docs/public/logo.svg', 'utf8')
  // Both pages are built from this folder.
  expect(readFileSync('packages/desk/ui/src/favicon.svg', 'utf8')).toBe(logo)
  for (const page of ['desk', 'dev']) {
    const html = readFileSync(`packages/desk/ui/${page}.html`, 'utf8')
    expect(html).toContain('favicon.svg')
    expect(html).toContain(`<title>tonplug ${page}</title>`)
  }
})
