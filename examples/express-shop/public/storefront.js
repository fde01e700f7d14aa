const list = document.querySelector('#products')
const template = document.querySelector('#product')
const error = document.querySelector('#error')

/** Asks the shop and returns its JSON; a refusal is thrown with the shop's own words. */
async function ask(path, options) {
  const response = await fetch(path, options)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

function showProduct({ id, name, description, price }) {
  const item = template.content.cloneNode(true)
  item.querySelector('img').src = `/products/${id}.svg`
  item.querySelector('h2').textContent = name
  item.querySelector('.description').textContent = description
  item.querySelector('.price').textContent = price
  const button = item.querySelector('button')
  button.dataset.product = id
  button.setAttribute('aria-label', `Buy ${name} for ${price}`)
  button.addEventListener('click', () => buy(id, button))
  list.append(item)
}

async function buy(product, button) {
  button.disabled = true
  error.hidden = true
  try {
    const { url } = await ask('/orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ product }),
    })
    location.assign(url)
  } catch (problem) {
    showProblem(`The order was not placed: ${problem.message}`)
    button.disabled = false
  }
}

function showProblem(text) {
  error.textContent = text
  error.hidden = false
}

// Coming back with the browser's Back button shows the page as it was left, with its button disabled.
window.addEventListener('pageshow', () => {
  for (const button of list.querySelectorAll('button')) button.disabled = false
})

try {
  for (const product of await ask('/products')) showProduct(product)
} catch (problem) {
  showProblem(`The products cannot be shown: ${problem.message}`)
} finally {
  list.removeAttribute('aria-busy')
}
