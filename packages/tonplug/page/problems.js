import { element, fromTemplate, keyedList, setText } from './elements.js'

const dismissed = new Set()

const showList = keyedList(element('problems'), {
  key: ({ id }) => id,
  create({ id, text }) {
    const { root, parts } = fromTemplate('problem-template')
    setText(parts.text, text)
    parts.dismiss.addEventListener('click', () => {
      dismissed.add(id)
      root.hidden = true
    })
    return { root, update: () => undefined }
  },
})

/** Shows the errors of actions until the user dismisses them. */
export function showProblems({ problems }) {
  showList(problems.filter(({ id }) => !dismissed.has(id)))
}
