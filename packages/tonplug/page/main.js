import { connect } from './connection.js'
import { setUpCreateForm, showAssets } from './create-form.js'
import { showDeliveries } from './deliveries.js'
import { element } from './elements.js'
import { showProblems } from './problems.js'
import { showEnvironment } from './environment.js'
import { openTransfer, showTransfers } from './transfers.js'

setUpCreateForm(openTransfer)
connect((state) => {
  showAssets(state)
  showEnvironment(state)
  showTransfers(state)
  showDeliveries(state)
  showProblems(state)
  element('page').setAttribute('aria-busy', 'false')
})
