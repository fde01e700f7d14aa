import {
  element,
  fromTemplate,
  keyedList,
  makeDisclosure,
  setFacts,
  setOptionalText,
  setText,
  shorten,
} from './elements.js'
import { ask } from './requests.js'

const OUTCOMES = { pay: 'Paying', fail: 'Failing', resend: 'Sending again' }
const JSON_TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

let newestShown

const showRunningActions = keyedList(element('running-actions'), {
  key: ({ id }) => id,
  create({ outcome, reference, fault }) {
    const root = document.createElement('li')
    const how = fault === 'none' ? '' : `, ${fault.replace('-', ' ')}`
    root.textContent = `${OUTCOMES[outcome]} ${shorten(reference)}${how}…`
    return { root, update: () => undefined }
  },
})

const showAttempts = keyedList(element('attempt-list'), {
  key: ({ id }) => id,
  create(attempt) {
    const { root, parts } = fromTemplate('attempt-template')
    showHead(parts, attempt)
    makeDisclosure(parts, () => showDetails(parts, attempt.id))
    return { root, update: () => undefined }
  },
})

/** Shows the requests to the shop, newest first. */
export function showDeliveries({ attempts, runningActions }) {
  showRunningActions(runningActions)
  showAttempts(attempts)
  element('no-attempts').hidden = attempts.length + runningActions.length > 0
  announce(attempts[0])
}

/** Announces the newest delivery to screen readers. */
function announce(newest) {
  const hasChanged = newestShown !== undefined && newest !== undefined && newest.id > newestShown
  if (hasChanged) setText(element('announcement'), `${describe(newest)}: ${responseOf(newest)}`)
  newestShown = newest?.id ?? 0
}

function showHead(parts, attempt) {
  const { status, reference, atMs, durationMs } = attempt
  const isTaken = status !== null && status >= 200 && status < 300
  setText(parts.status, status === null ? 'no response' : String(status))
  parts.status.dataset.status = isTaken ? 'success' : 'error'
  setText(parts.what, describe(attempt))
  setText(parts.short, reference === null ? 'no reference' : shorten(reference))
  parts.time.dateTime = new Date(atMs).toISOString()
  setText(parts.time, `${new Date(atMs).toLocaleTimeString()}, ${durationMs} ms`)
}

function describe({ delivery, copy, attempt }) {
  const copyText = copy > 1 ? `, copy ${copy}` : ''
  const retryText = attempt > 1 ? `, retry ${attempt - 1}` : ''
  return `Delivery ${delivery}${copyText}${retryText}`
}

function responseOf({ status, error }) {
  return status === null ? `no response, ${error}` : `status ${status}`
}

/** Requested once, because they do not change. */
async function showDetails(parts, id) {
  if (parts.details.getAttribute('aria-busy') === 'false') return
  try {
    const attempt = await ask(`api/attempts/${id}`)
    setText(parts.request, `POST ${attempt.url}`)
    setFacts(parts['request-headers'], attempt.requestHeaders)
    setText(parts['request-body'], indent(attempt.requestBody))
    setText(parts.response, attempt.error ?? `Status ${attempt.status}`)
    setFacts(parts['response-headers'], attempt.responseHeaders)
    setOptionalText(parts['response-body'], indent(attempt.responseBody))
    setOptionalText(parts.problem, '')
    parts.details.setAttribute('aria-busy', 'false')
  } catch (error) {
    setOptionalText(parts.problem, error.message)
  }
}

/** Formats JSON on several lines and keeps its tokens, including numbers; returns any other string unchanged. */
function indent(text) {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  let indented = ''
  const lineBreak = () => `\n${'  '.repeat(depth)}`
  for (const token of text.match(JSON_TOKENS) ?? []) {
    if (token === '}' || token === ']') {
      depth -= 1
      indented = /[{[]\s*$/.test(indented) ? indented.trimEnd() : indented + lineBreak()
    }
    indented += token
    if (token === '{' || token === '[') {
      depth += 1
      indented += lineBreak()
    }
    if (token === ',') indented += lineBreak()
    if (token === ':') indented += ' '
  }
  return indented
}
