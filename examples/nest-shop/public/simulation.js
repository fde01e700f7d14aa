import { ask } from './ask.js'

const labels = {
  pay: 'Pay',
  fail: 'Let the payment fail',
  underpay: 'Pay too little',
  twice: 'Pay, delivered twice',
}
const buttons = document.querySelector('#buttons')
const outcome = document.querySelector('#outcome')

/** Offers to play the gateway, when the shop does. */
export function showSimulation({ simulations, reference }) {
  if (simulations.length === 0 || buttons.childElementCount > 0) return
  for (const simulation of simulations) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'quiet'
    button.textContent = labels[simulation]
    button.addEventListener('click', () => void simulate(reference, simulation))
    buttons.append(button)
  }
  document.querySelector('#simulation').hidden = false
}

async function simulate(reference, simulation) {
  outcome.textContent = 'Delivering…'
  try {
    const path = `/orders/${encodeURIComponent(reference)}/simulate`
    const { statuses } = await ask(path, { outcome: simulation })
    const answers = statuses.map((status) => status ?? 'nothing').join(', ')
    outcome.textContent = `“${labels[simulation]}”: the shop answered ${answers}.`
  } catch (problem) {
    outcome.textContent = `Not delivered: ${problem.message}`
  }
}
