"""The scripts that change tickets, each all at once.

Everything of a tenant lies in one Redis Cluster slot (docs/decisions), so a script may touch
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
local CHANGES, SEATINGS, OPPONENTS = 100000, 16, 32

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

local function finish(t, state, reason)
  leave(t)
  for _, player in ipairs(t.p) do
    if call('HGET', key('player', player), t.q) == t.id then
      call('HDEL', key('player', player), t.q)
    end
    call('SREM', key('invites', player), t.id)
  end
  call('HINCRBY', key('live'), t.q, -1)
  call('ZREM', key('expiring'), t.id)
  call('HSET', key('ticket', t.id), 'st', state, 'r', reason)
  call('EXPIRE', key('ticket', t.id), KEPT)
  tell(t.id)
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
  for _, player in ipairs(players) do
    for _, t in ipairs(tickets_of(player)) do enter(t) end
  end
end

-- Whatever else a player waits for is off: he has a match.
local function withdraw(player)
  for _, t in ipairs(tickets_of(player)) do
    if t.st == 'offered' then break_offer(t.o, {[t.id] = 'player_matched'})
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
    local list, own = key('met', game, player), {}
    for _, mate in ipairs(mine) do own[mate] = true end
    for _, other in ipairs(all) do
      if not own[other] then call('LPUSH', list, other) end
    end
    call('LTRIM', list, 0, OPPONENTS - 1)
    call('EXPIRE', list, REMEMBERED)
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
    call('HDEL', key('ticket', name), 'o')
    call('HSET', key('ticket', name), 'm', id)
    finish(t, 'matched', '')
    group[#group + 1] = t.p
    for _, player in ipairs(t.p) do all[#all + 1] = player end
  end
  for _, player in ipairs(all) do
    call('DEL', key('held', player))
    withdraw(player)
  end
  for _, mine in ipairs(group) do met(game, mine, all) end
  sat(game, sitting, seats)
  announce(id, event)
end
"""

CREATE = """
local function create(id, body_hash, state, queue, about, players, awaited, body, times)
  local known = call('HGET', key('ticket', id), 'h')
  if known then return known == body_hash and {'again'} or {'reused'} end
  local absent = {}
  for _, player in ipairs(words(awaited)) do absent[player] = true end
  for _, player in ipairs(words(players)) do
    local other = not absent[player] and call('HGET', key('player', player), queue)
    if other then return {'busy', player, other} end
  end
  local when = words(times)
  call('HSET', key('ticket', id), 'h', body_hash, 'st', state, 'q', queue, 'p', players,
    'w', awaited, 'b', body, 'n', when[1], 'c', when[1], 'x', when[2], 'v', 1)
  for _, player in ipairs(words(players)) do
    if absent[player] then call('SADD', key('invites', player), id)
    else call('HSET', key('player', player), queue, id) end
  end
  call('HSET', key('queues'), queue, about)
  call('HINCRBY', key('live'), queue, 1)
  call('ZADD', key('expiring'), when[2], id)
  enter(ticket(id))
  return {'ok'}
end
local outcomes = {}
for at = 1, #ARGV, 9 do outcomes[#outcomes + 1] = create(unpack(ARGV, at, at + 8)) end
return outcomes
"""
"""ARGV, for each ticket: id, hash of the request, state, queue, what the queue is, players, those
who have not joined, body, "<now> <when it expires>"."""

JOIN = """
local id, player, now, request, body = unpack(ARGV)
local before = asked(request, body)
if before then return before end
local t = ticket(id)
if not t then return {'missing'} end
if t.st ~= 'gathering' then return {'refused', t.st} end
local absent, found = {}, false
for _, one in ipairs(words(t.w)) do
  if one == player then found = true else absent[#absent + 1] = one end
end
if not found then return {'refused', 'joined'} end
local other = call('HGET', key('player', player), t.q)
if other then return {'busy', player, other} end
call('HSET', key('player', player), t.q, id)
call('SREM', key('invites', player), id)
call('HSET', key('ticket', id), 'w', table.concat(absent, ' '))
if #absent == 0 then
  call('HSET', key('ticket', id), 'st', 'waiting', 'n', now)
  enter(ticket(id))
end
tell(id)
remember(request, body)
return {'ok'}
"""

CANCEL = """
local id, reason, request, body = unpack(ARGV)
local before = asked(request, body)
if before then return before end
local t = ticket(id)
if not t then return {'missing'} end
if reason == 'declined' and t.st ~= 'offered' then return {'refused', t.st} end
if t.st == 'offered' then break_offer(t.o, {[id] = reason})
elseif t.st == 'waiting' or t.st == 'gathering' then finish(t, 'cancelled', reason)
elseif t.st == 'matched' then return {'refused', t.st} end
remember(request, body)
return {'ok'}
"""
"""Cancels a ticket, or declines what it is offered. One that has ended otherwise stays as it is."""

CLAIM = """
local now, queue, token, id, deadline, game, event, tickets, sitting, seats = unpack(ARGV)
if call('EXISTS', key('formed', id)) == 1 or call('EXISTS', key('offer', id)) == 1 then
  return {'ok'}
end
if call('HGET', key('queue', queue, 'lease'), 't') ~= token then return {'fenced'} end
local names, count = words(tickets), 0
for _, name in ipairs(names) do
  if not call('ZSCORE', key('queue', queue), name) then return {'gone', name} end
end
if deadline == '0' then
  form(id, names, game, event, words(sitting), seats)
  return {'ok'}
end
for _, name in ipairs(names) do
  local t = ticket(name)
  leave(t)
  call('HSET', key('ticket', name), 'st', 'offered', 'o', id)
  for _, player in ipairs(t.p) do
    count = count + 1
    call('SET', key('held', player), id)
    for _, other in ipairs(tickets_of(player)) do leave(other) end
  end
  tell(name)
end
call('HSET', key('offer', id), 'e', event, 't', tickets, 's', sitting, 'g', game, 'k', seats,
  'x', deadline, 'c', count)
call('ZADD', key('offers'), deadline, id)
return {'ok'}
"""
"""Takes the tickets of a group, all or none: forms the match, or offers it until a deadline."""

ACCEPT = """
local id, players, now, request, body = unpack(ARGV)
local before = asked(request, body)
if before then return before end
local t = ticket(id)
if not t then return {'missing'} end
if t.st ~= 'offered' then return {'refused', t.st} end
local f = call('HMGET', key('offer', t.o), 'e', 't', 's', 'g', 'k', 'x', 'c')
if tonumber(now) >= tonumber(f[6]) then return {'refused', 'lapsed'} end
for _, player in ipairs(words(players)) do call('SADD', key('offer', t.o, 'yes'), player) end
remember(request, body)
if call('SCARD', key('offer', t.o, 'yes')) < tonumber(f[7]) then
  for _, name in ipairs(words(f[2])) do tell(name) end
  return {'ok'}
end
call('DEL', key('offer', t.o), key('offer', t.o, 'yes'))
call('ZREM', key('offers'), t.o)
form(t.o, words(f[2]), f[4], f[1], words(f[3]), f[5])
return {'formed'}
"""
"""Accepts for some players of a ticket; with the last of all the match is formed."""

SWEEP = """
local now, most = tonumber(ARGV[1]), ARGV[2]
local lapsed = call('ZRANGEBYSCORE', key('offers'), '-inf', now, 'LIMIT', 0, most)
for _, id in ipairs(lapsed) do
  local guilty = {}
  for _, name in ipairs(words(call('HGET', key('offer', id), 't'))) do
    for _, player in ipairs(ticket(name).p) do
      if call('SISMEMBER', key('offer', id, 'yes'), player) == 0 then guilty[name] = 'no_answer' end
    end
  end
  break_offer(id, guilty)
end
local expired = call('ZRANGEBYSCORE', key('expiring'), '-inf', now, 'LIMIT', 0, most)
for _, id in ipairs(expired) do
  local t = ticket(id)
  if t and t.st == 'offered' then call('ZADD', key('expiring'), now + 2000, id)
  elseif t and (t.st == 'waiting' or t.st == 'gathering') then finish(t, 'expired', 'expired')
  else call('ZREM', key('expiring'), id) end
end
return {#lapsed, #expired}
"""
"""Offers whose time is up are off, and so are tickets whose life is over."""

LEASE = """
local queue, owner, now, span = unpack(ARGV)
local lease = key('queue', queue, 'lease')
local f = call('HMGET', lease, 'o', 't', 'x')
if f[1] == owner and f[3] ~= '0' then
  call('HSET', lease, 'x', now + span)
  return tonumber(f[2])
end
if f[3] and tonumber(f[3]) > tonumber(now) then return 0 end
local token = call('INCR', key('fence'))
call('HSET', lease, 'o', owner, 't', token, 'x', now + span)
return token
"""
"""Takes or renews the lease of a queue: its fencing token, or 0 where somebody else has it."""

RELEASE = """
local queue, owner = unpack(ARGV)
local lease = key('queue', queue, 'lease')
if call('HGET', lease, 'o') ~= owner then return 0 end
call('HSET', lease, 'x', '0')
if (tonumber(call('HGET', key('live'), queue)) or 0) <= 0 then
  call('HDEL', key('queues'), queue)
  call('HDEL', key('live'), queue)
  call('DEL', lease, key('queue', queue), key('queue', queue, 'n'), key('queue', queue, 'log'))
end
return 1
"""
"""Gives the lease of a queue back; a queue that nobody is in is forgotten."""

WHOLE = """
local queue = ARGV[1]
local n = tonumber(call('GET', key('queue', queue, 'n')) or '0')
return {n, call('ZRANGE', key('queue', queue), 0, -1)}
"""
"""Everybody in a queue, and the number of its last change."""
