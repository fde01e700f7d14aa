export const element = (id) => document.getElementById(id)

/** A copy of a template, and its parts by their names. */
export function fromTemplate(id) {
  const root = element(id).content.firstElementChild.cloneNode(true)
  const parts = {}
  for (const part of root.querySelectorAll('[data-part]')) parts[part.dataset.part] = part
  return { root, parts }
}

/** Live regions are read aloud when they are written to, even with the same words. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text
}

/** Shows a text, or nothing. */
export function setOptionalText(target, text) {
  setText(target, text)
  target.hidden = text === ''
}

/**
 * Keeps one element for each value of a list, so that what is open, chosen or focused stays so.
 * @param create makes `{ root, update }` for a value
 */
export function keyedList(list, { key, create }) {
  const items = new Map()
  return (values) => {
    const keys = new Set(values.map(key))
    for (const [known, { root }] of items) {
      if (keys.has(known)) continue
      root.remove()
      items.delete(known)
    }
    let next = list.firstElementChild
    for (const value of values) {
      const item = items.get(key(value)) ?? create(value)
      items.set(key(value), item)
      item.update(value)
      if (item.root === next) next = next.nextElementSibling
      else list.insertBefore(item.root, next)
    }
  }
}

/** Terms and what they mean; a value that is undefined is left out. */
export function setFacts(list, facts) {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')
  const text = JSON.stringify(shown)
  // What did not change stays, so that a selection in it does.
  if (list.dataset.shown === text) return
  list.dataset.shown = text
  list.replaceChildren(
    ...shown.map(([name, value]) => {
      const pair = document.createElement('div')
      const term = document.createElement('dt')
      const meaning = document.createElement('dd')
      term.textContent = name
      meaning.textContent = value
      pair.append(term, meaning)
      return pair
    }),
  )
}

let newestId = 0

/** Lets a button open and close what belongs to it. @param onOpen called when it opens */
export function makeDisclosure({ head, body }, onOpen = () => undefined) {
  body.id = `body-${++newestId}`
  head.setAttribute('aria-controls', body.id)
  head.addEventListener('click', () => {
    body.hidden = !body.hidden
    head.setAttribute('aria-expanded', String(!body.hidden))
    if (!body.hidden) onOpen()
  })
}

/** The beginning and the end of what is too long for a line. */
export function shorten(text) {
  return text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text
}
