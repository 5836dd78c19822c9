"""Scripts by which groups are formed: leases, claims, consent, and what runs out."""

from __future__ import annotations

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
if not t.o then return {'refused', 'waiting'} end
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
local asked = call('HGETALL', key('filling'))
for at = 1, #asked, 2 do
  if tonumber(string.match(asked[at + 1], '%S+$')) <= now then
    local t = filled(asked[at], false)
    if t then resume(t.p) end
  end
end
return {#lapsed, #expired}
"""
"""Offers whose time is up are off, so are tickets whose life is over, and whoever was to have a
seat of which the host has said nothing waits on."""
