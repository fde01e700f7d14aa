const labels = {
  pay: 'Pay',
  fail: 'Let the payment fail',
  underpay: 'Pay too little',
  twice: 'Pay, delivered twice',
}

/** Builds the panel that plays the gateway, once, when the shop offers it. */
export function showSimulation(place, { simulations, reference }) {
  if (simulations.length === 0 || place.childElementCount > 0) return
  const panel = document.createElement('section')
  panel.className = 'card simulation'
  const heading = document.createElement('h2')
  heading.textContent = 'Simulate the payment'
  const text = document.createElement('p')
  text.textContent =
    'The shop runs with a development gateway, which sends signed webhooks to the shop’s own address.'
  const buttons = document.createElement('p')
  buttons.className = 'simulation-buttons'
  const outcome = document.createElement('p')
  outcome.setAttribute('role', 'status')
  outcome.className = 'simulation-outcome'
  for (const simulation of simulations) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-quiet'
    button.dataset.simulation = simulation
    button.textContent = labels[simulation]
    button.addEventListener('click', () => {
      void simulate({ simulation, reference, buttons, outcome })
    })
    buttons.append(button)
  }
  panel.append(heading, text, buttons, outcome)
  place.append(panel)
}

async function simulate({ simulation, reference, buttons, outcome }) {
  setDisabled(buttons, true)
  outcome.textContent = 'Delivering…'
  try {
    const response = await fetch(`/orders/${encodeURIComponent(reference)}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ outcome: simulation }),
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(answer.error.message)
    const statuses = answer.statuses.map((status) => status ?? 'nothing')
    outcome.textContent = `“${labels[simulation]}”: the shop answered ${statuses.join(', ')}.`
  } catch (problem) {
    outcome.textContent = `Not delivered: ${problem.message}`
  } finally {
    setDisabled(buttons, false)
  }
}

function setDisabled(buttons, isDisabled) {
  for (const button of buttons.querySelectorAll('button')) button.disabled = isDisabled
}
