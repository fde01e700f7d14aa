import { ask } from './ask.js'

const list = document.querySelector('#products')
const error = document.querySelector('#error')

function showProduct({ id, name, description, price }) {
  const item = document.querySelector('template').content.cloneNode(true)
  item.querySelector('li').dataset.product = id
  item.querySelector('h2').textContent = name
  item.querySelector('.muted').textContent = description
  item.querySelector('strong').textContent = price
  const button = item.querySelector('button')
  button.setAttribute('aria-label', `Buy ${name} for ${price}`)
  button.addEventListener('click', () => void buy(id, button))
  list.append(item)
}

async function buy(product, button) {
  button.disabled = true
  try {
    const { reference } = await ask('/orders', { product })
    location.assign(`/order.html?${new URLSearchParams({ reference })}`)
  } catch (problem) {
    showProblem(`The order was not placed: ${problem.message}`)
  }
  button.disabled = false
}

function showProblem(text) {
  error.textContent = text
  error.hidden = false
}

try {
  for (const product of await ask('/products')) showProduct(product)
} catch (problem) {
  showProblem(`The products cannot be shown: ${problem.message}`)
}
