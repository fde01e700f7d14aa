import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/components.css'
import '../styles/desk.css'
import { render } from 'preact'
import { App } from './app.js'

const root = document.getElementById('app')
if (root !== null) render(<App />, root)
