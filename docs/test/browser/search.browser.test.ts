import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serveSite, SITE, visit, type SiteServer } from './site-server.js'

interface Question {
  /** A sentence, as people write in chats and tickets. */
  asked: string
  /** The words that they type into the search. */
  typed: string
  /** The address of the section that answers, without `.html`. */
  answer: string
}

// The file has these fields.
const { questions, words, unanswered } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'questions.json'), 'utf8'),
) as { questions: Question[]; words: Omit<Question, 'asked'>[]; unanswered: string[] }
const MOST_AFTER_WORDS = 3
const MOST_AFTER_SENTENCE = 8

let browser: Browser
let site: SiteServer
let page: Page

beforeAll(async () => {
  site = await serveSite()
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
  page = await browser.newPage()
  await visit(page, `${site.origin}/`)
  await page.getByRole('button', { name: 'Search' }).first().click()
  // The index is loaded.
  await search('usdt')
})

afterAll(async () => {
  await browser.close()
  site.close()
})

/** Returns the addresses of the results, without `.html`, best first. */
async function search(text: string): Promise<string[]> {
  const box = page.getByRole('searchbox')
  await box.fill('')
  await page.locator('.results .result, .no-results').first().waitFor({ state: 'detached' })
  await box.fill(text)
  await page.locator('.results .result, .no-results').first().waitFor()
  const links = await page
    .locator('.results a.result')
    .evaluateAll((results) => results.map((result) => result.getAttribute('href') ?? ''))
  return links.map((link) => link.replace('.html', ''))
}

const pageOf = (address: string): string => address.split('#')[0] ?? ''

describe.each(questions)('the search for "$typed"', ({ typed, asked, answer }) => {
  it(`finds ${answer} among the first results for the words, and for the sentence`, async () => {
    const forWords = (await search(typed)).slice(0, MOST_AFTER_WORDS)
    const forSentence = (await search(asked)).slice(0, MOST_AFTER_SENTENCE)

    expect(forWords.map(pageOf)).toContain(pageOf(answer))
    expect(forSentence.map(pageOf)).toContain(pageOf(answer))
  })
})

it.each(words)('finds $answer among the first results for "$typed"', async ({ typed, answer }) => {
  const results = await search(typed)
  expect(results.slice(0, MOST_AFTER_WORDS).map(pageOf)).toContain(pageOf(answer))
})

it.each([...questions, ...words])('finds $answer among the sections of the site', ({ answer }) => {
  const [path = '', anchor] = answer.split('#')
  const html = readFileSync(join(SITE, `${path}.html`), 'utf8')
  expect(html).toContain(anchor === undefined ? '<h1' : `id="${anchor}"`)
})

it.each(unanswered)('finds nothing for "%s"', async (words) => {
  expect(await search(words)).toEqual([])
})
