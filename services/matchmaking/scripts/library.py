"""What the scripts have in common.

Everything of a tenant lies in one Redis Cluster slot (docs/decisions/0006), so a script may touch
whatever of it is concerned: KEYS[1] is the tenant's tag, every other name is made from it. All of
them may be run twice: the client sends a command again when it has not heard the answer.
"""

from __future__ import annotations

KEPT_S = 24 * 3600
"""Seconds that a ticket is told of after its end, and a request id is remembered."""
REMEMBERED_S = 30 * 24 * 3600
"""Seconds that it is remembered who sat where, and with whom."""
FORMED_S = 7 * 24 * 3600
"""Seconds in which a rematch may be asked for."""

NUMBERS = f"""
local KEPT, REMEMBERED, FORMED = {KEPT_S}, {REMEMBERED_S}, {FORMED_S}
"""
LIBRARY = """
local call = redis.call
local CHANGES, SEATINGS, OPPONENTS, MOST = 100000, 20, 32, 20

local function key(kind, id, part)
  local name = KEYS[1] .. ':' .. kind
  if id then name = name .. ':' .. id end
  if part then name = name .. ':' .. part end
  return name
end

local function words(text)
  local found = {}
  for word in string.gmatch(text or '', '%S+') do found[#found + 1] = word end
  return found
end

-- What was asked under a request id before: nil, or what to answer.
local function asked(request, body)
  if request == '' then return nil end
  local known = call('GET', key('req', request))
  if not known then return nil end
  return known == body and {'seen'} or {'reused'}
end

local function remember(request, body)
  if request ~= '' then call('SET', key('req', request), body, 'EX', KEPT) end
end

local function ticket(id)
  local f = call('HMGET', key('ticket', id), 'st', 'q', 'p', 'n', 'o', 'w')
  if not f[1] then return nil end
  return {id = id, st = f[1], q = f[2], p = words(f[3]), n = f[4], o = f[5], w = f[6] or ''}
end

local function tell(id)
  call('HINCRBY', key('ticket', id), 'v', 1)
  call('PUBLISH', key('ticket', id), 1)
end

-- Somebody is asked to come, or has come or need not: told in the outbox, in a few words.
local function hint(...)
  call('XADD', key('outbox'), '*', 'i', table.concat({...}, ' '))
end

local function uninvited(name, player, reason)
  local version = call('HGET', key('ticket', name), 'v') + 1
  hint('over', player, 'tickets/' .. name, version, reason)
end

-- The changes of a queue are numbered, so that a matchmaker who missed one knows.
local function changed(queue, sign, id)
  local n = call('INCR', key('queue', queue, 'n'))
  call('XADD', key('queue', queue, 'log'), 'MAXLEN', '~', CHANGES, n .. '-0', sign, id)
end

-- A player who is asked to accept a match waits nowhere else meanwhile.
local function held(t)
  for _, player in ipairs(t.p) do
    if call('EXISTS', key('held', player)) == 1 then return true end
  end
  return false
end

local function enter(t)
  if t.st ~= 'waiting' or held(t) then return end
  if call('ZADD', key('queue', t.q), t.n, t.id) == 1 then changed(t.q, '+', t.id) end
end

local function leave(t)
  if call('ZREM', key('queue', t.q), t.id) == 1 then changed(t.q, '-', t.id) end
end

local function tickets_of(player)
  local found = {}
  for _, id in ipairs(call('HVALS', key('player', player))) do
    local t = ticket(id)
    if t then found[#found + 1] = t end
  end
  return found
end

local function finish(t, state, reason, match)
  leave(t)
  for _, player in ipairs(t.p) do
    if call('HGET', key('player', player), t.q) == t.id then
      call('HDEL', key('player', player), t.q)
    end
    if t.w ~= '' and call('SREM', key('invites', player), t.id) == 1 then
      uninvited(t.id, player, state == 'expired' and 'expired' or 'withdrawn')
    end
  end
  call('HINCRBY', key('live'), t.q, -1)
  call('ZREM', key('expiring'), t.id)
  call('HSET', key('ticket', t.id), 'st', state, 'r', reason, 'm', match or '')
  call('EXPIRE', key('ticket', t.id), KEPT)
  tell(t.id)
end

local function resume(players)
  for _, player in ipairs(players) do
    for _, t in ipairs(tickets_of(player)) do enter(t) end
  end
end

-- An offer is off: `guilty` tickets end for their reason, the others wait on.
local function break_offer(id, guilty)
  local f = call('HMGET', key('offer', id), 't', 's')
  call('DEL', key('offer', id), key('offer', id, 'yes'))
  call('ZREM', key('offers'), id)
  local players = {}
  for _, name in ipairs(words(f[1])) do
    local t = ticket(name)
    if t and t.o == id and t.st == 'offered' then
      call('HDEL', key('ticket', name), 'o')
      call('HSET', key('ticket', name), 'st', 'waiting')
      t.st = 'waiting'
      for _, player in ipairs(t.p) do
        call('DEL', key('held', player))
        players[#players + 1] = player
      end
      if guilty[name] then finish(t, 'cancelled', guilty[name]) else tell(name) end
    end
  end
  resume(players)
end

-- A ticket that was to fill a seat has it, or waits on.
local function filled(spot, has_it)
  local name = string.match(call('HGET', key('filling'), spot) or '', '^%S+')
  call('HDEL', key('filling'), spot)
  local t = name and ticket(name)
  if not t or t.st ~= 'offered' or t.o then return nil end
  for _, player in ipairs(t.p) do call('DEL', key('held', player)) end
  if not has_it then
    call('HSET', key('ticket', name), 'st', 'waiting')
    tell(name)
  end
  return t
end

-- Whatever else a player waits for is off: he has a match.
local function withdraw(player)
  for _, t in ipairs(tickets_of(player)) do
    if t.st == 'offered' and t.o then break_offer(t.o, {[t.id] = 'player_matched'})
    else finish(t, 'cancelled', 'player_matched') end
  end
end

local function sat(game, sitting, seats)
  for at = 1, #sitting, 2 do
    local seatings = key('sat', game, sitting[at])
    call('LPUSH', seatings, sitting[at + 1] .. '/' .. seats)
    call('LTRIM', seatings, 0, SEATINGS - 1)
    call('EXPIRE', seatings, REMEMBERED)
  end
end

local function met(game, mine, all)
  for _, player in ipairs(mine) do
    local list, own, others = key('met', game, player), {}, {}
    for _, mate in ipairs(mine) do own[mate] = true end
    for _, other in ipairs(all) do
      if not own[other] then others[#others + 1] = other end
    end
    if #others > 0 then
      call('LPUSH', list, unpack(others))
      call('LTRIM', list, 0, OPPONENTS - 1)
      call('EXPIRE', list, REMEMBERED)
    end
  end
end

-- A match is formed: told in the outbox, from where it goes to the bus.
local function announce(id, event)
  call('SET', key('formed', id), event, 'EX', FORMED)
  call('XADD', key('outbox'), '*', 'e', event)
end

local function form(id, names, game, event, sitting, seats)
  local group, all = {}, {}
  for _, name in ipairs(names) do
    local t = ticket(name)
    finish(t, 'matched', '', id)
    group[#group + 1] = t.p
    for _, player in ipairs(t.p) do
      all[#all + 1] = player
      if t.o then call('DEL', key('held', player)) end
    end
    if t.o then call('HDEL', key('ticket', name), 'o') end
  end
  for _, player in ipairs(all) do withdraw(player) end
  for _, mine in ipairs(group) do met(game, mine, all) end
  sat(game, sitting, seats)
  announce(id, event)
end
"""
