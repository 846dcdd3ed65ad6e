-- What an editor without a line of ours gets from the server: diagnostics, a code action, a hover, over standard
-- requests. Prints a line for each thing that is as it should be; the first one that is not ends it with 1.
-- The command of the server comes in FENCEPOST_SERVER, words separated by newlines.
local function fail(what)
  io.stderr:write('not so: ' .. what .. '\n')
  vim.cmd('cquit 1')
end
local function so(is, what)
  if not is then fail(what) end
  io.stdout:write('ok ' .. what .. '\n')
end
local function soon(is, what)
  so(vim.wait(20000, is, 20), what)
end

local done, problem = pcall(function()
  local buffer = vim.api.nvim_get_current_buf()
  local client_id = vim.lsp.start_client({
    name = 'fencepost',
    cmd = vim.split(vim.env.FENCEPOST_SERVER, '\n'),
    root_dir = vim.fn.getcwd(),
    settings = { fencepost = { rules = { ['require-fencing-token'] = 'error' } } },
    -- Before 0.8 Neovim leaves it to its user to tell the settings.
    on_init = function(client) client.notify('workspace/didChangeConfiguration', { settings = client.config.settings }) end,
  })
  so(client_id and vim.lsp.buf_attach_client(buffer, client_id), 'the server starts and takes the buffer')
  local function found(code)
    return vim.tbl_filter(function(it) return it.code == code end, vim.diagnostic.get(buffer))[1]
  end

  soon(function() return found('no-blind-release') end, 'a diagnostic comes')
  local blind = found('no-blind-release')
  so(blind.source == 'fencepost' and blind.severity == vim.diagnostic.severity.ERROR, 'it says who found it and how bad it is')
  so(vim.fn.getline(blind.lnum + 1):sub(blind.col + 1, blind.end_col) == 'redis.del(key)', 'it stands at the release')
  soon(function()
    local unfenced = found('require-fencing-token')
    return unfenced and unfenced.severity == vim.diagnostic.severity.ERROR
  end, 'a setting of the editor counts')

  vim.api.nvim_win_set_cursor(0, { blind.lnum + 1, blind.col })
  local client = vim.lsp.get_client_by_id(client_id)
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local hover = client.request_sync('textDocument/hover', params, 10000, buffer)
  so(hover and hover.result and hover.result.contents.value:find('How this loses data', 1, true), 'the hover tells the interleaving')

  -- As a hand does it: the menu is opened, and its first entry taken.
  local title
  vim.ui.select = function(items, options, take)
    title = options.format_item and options.format_item(items[1]) or ''
    take(items[1], 1)
  end
  vim.lsp.buf.code_action()
  soon(function() return vim.fn.search('redis.eval(RELEASE_IF_OURS, 1, key, owner)', 'nw') > 0 end, 'the first code action is applied')
  so(title:find('release it only if still ours', 1, true), 'it is named for what it does')
  soon(function() return not found('no-blind-release') end, 'the diagnostic is gone')

  vim.cmd('undo')
  soon(function() return found('no-blind-release') end, 'undone, it is there again')
  client.stop()
  soon(function() return client.is_stopped() end, 'the server ends')
end)
if not done then fail(tostring(problem)) end
vim.cmd('qall!')
