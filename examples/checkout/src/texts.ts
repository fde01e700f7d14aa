import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The languages of the page. The first is the default. */
export const LANGUAGES = ['en', 'de', 'es', 'ru', 'zh', 'ar'] as const
export type Language = (typeof LANGUAGES)[number]

/** The strings of one language, as in the files of the folder `texts`. */
export type Texts = Record<string, unknown>

/** Reads the strings of a language. */
export function readTexts(language: Language): Texts {
  const path = fileURLToPath(new URL(`../texts/${language}.json`, import.meta.url))
  // A file of this example.
  return JSON.parse(readFileSync(path, 'utf8')) as Texts
}

/** Replaces each `{{name}}` of a page. No value can add an element or an attribute. */
export function fillPage(page: string, values: Texts): string {
  return page.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(String(values[name])))
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character)
}
