export const element = (id) => document.getElementById(id)

/** Copies a template and returns its parts by name. */
export function fromTemplate(id) {
  const root = element(id).content.firstElementChild.cloneNode(true)
  const parts = {}
  for (const part of root.querySelectorAll('[data-part]')) parts[part.dataset.part] = part
  return { root, parts }
}

/** Screen readers announce each write to a live region, even of the same string. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text
}

/** Shows a message, or hides its element. */
export function setOptionalText(target, text) {
  setText(target, text)
  target.hidden = text === ''
}

/**
 * Keeps one element for each value of a list, so that open, selected and focused elements keep their state.
 * @param create returns `{ root, update }` for a value
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

/** Fills a description list; skips undefined values. */
export function setFacts(list, facts) {
  const shown = Object.entries(facts).filter(([, value]) => value !== undefined && value !== '')
  const text = JSON.stringify(shown)
  // Unchanged elements stay, with any selection in them.
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

/** Makes a button toggle its panel. @param onOpen called when it opens */
export function makeDisclosure({ head, body }, onOpen = () => undefined) {
  body.id = `body-${++newestId}`
  head.setAttribute('aria-controls', body.id)
  head.addEventListener('click', () => {
    body.hidden = !body.hidden
    head.setAttribute('aria-expanded', String(!body.hidden))
    if (!body.hidden) onOpen()
  })
}

/** Returns the beginning and the end of a long string. */
export function shorten(text) {
  return text.length > 16 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text
}
